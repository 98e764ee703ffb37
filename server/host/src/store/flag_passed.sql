-- The eighth form: which approval let a flagged change pass, so that taking it back puts the flag up again.
ALTER TABLE flag ADD COLUMN passed_by INTEGER;
CREATE INDEX flag_passed ON flag (passed_by, number) WHERE passed_by IS NOT NULL;
