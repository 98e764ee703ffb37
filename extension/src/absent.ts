// `undefined` as the bundle writes it (scripts/steps/bundle.mjs): in full it stands there seven hundred times, as `void 0`.
// Nobody imports this. As a constant it would be written out again wherever it is used.

export let absent: undefined;
