-- The tenth form: what was decided is found by when, for the figures of a period.
CREATE INDEX ledger_kind ON ledger (kind, time_ms);
