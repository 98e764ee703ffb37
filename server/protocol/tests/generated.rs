//! The committed files that are made from the protocol are what the generator writes.

use std::path::Path;

use augment_protocol::generate;

fn read(path: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).expect("the file is part of the project")
}

#[test]
fn the_typescript_is_fresh() {
    assert!(
        read("../../extension/src/protocol.gen.ts") == generate::typescript(),
        "extension/src/protocol.gen.ts is stale; run `npm run generate`"
    );
}

#[test]
fn the_reference_is_fresh() {
    let readme = read("README.md");
    assert!(
        Some(&readme) == generate::with_reference(&readme).as_ref(),
        "server/protocol/README.md is stale; run `npm run generate`"
    );
}
