//! What sort of file a path names, as far as the scan treats sorts differently.

use super::line::words;
use crate::file::FilePath;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// A program: a value stands in quotes, everything else is an expression.
    Code,
    /// Settings, scripts, data: a value may stand without quotes.
    Configuration,
    /// Text for people, where addresses are examples.
    Prose,
    /// Made by a package manager: full of hashes and of other people's addresses.
    Lock,
    /// It is there to name people.
    People,
    /// Drawings, source maps and the like: numbers in it mean nothing.
    Made,
}

const LOCKS: &str = "cargo.lock package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml poetry.lock pipfile.lock \
    uv.lock go.sum gemfile.lock composer.lock flake.lock bun.lock pubspec.lock mix.lock packages.lock.json \
    podfile.lock deno.lock .terraform.lock.hcl";
const PEOPLE: &str = "authors contributors maintainers codeowners credits license licence copying notice thanks";
const PROSE: &str = "md markdown rst adoc asciidoc txt tex org html htm mdx 1";
const MADE: &str = "svg map eps ai snap patch diff po pot xlf geojson";
const CONFIGURATION: &str = "env ini cfg conf config properties yaml yml toml json jsonc json5 sh bash zsh fish ps1 bat cmd tf tfvars \
    hcl xml plist csv tsv sql service netrc npmrc pypirc pgpass local production development staging dev prod \
    envrc gradle log vcf ldif mk cnf list repo dockerfile credentials nix example ndjson jsonl";

impl Place {
    pub(super) fn of(path: &FilePath) -> Self {
        let name = path.name().to_ascii_lowercase();
        let stem = name.split(|byte| *byte == b'.').find(|part| !part.is_empty()).unwrap_or(&name);
        let ending = name.rsplit(|byte| *byte == b'.').next().unwrap_or(&name);
        let one_of = |list: &'static str, word: &[u8]| words(list).any(|other| other == word);
        if one_of(LOCKS, &name) {
            Self::Lock
        } else if name == b".mailmap" || (one_of(PEOPLE, stem) && (stem.len() == name.len() || one_of(PROSE, ending))) {
            Self::People
        } else if one_of(MADE, ending) || name.ends_with(b".min.js") || name.ends_with(b".min.css") {
            Self::Made
        } else if name == b"requirements.txt" || one_of(CONFIGURATION, ending) || has_settings_name(&name) {
            Self::Configuration
        } else if one_of(PROSE, ending) || stem == b"readme" || stem == b"changelog" {
            Self::Prose
        } else {
            Self::Code
        }
    }
}

const CODE: &str = "js jsx mjs cjs ts tsx mts cts py pyi rs go java kt kts scala rb php pl lua c h cc cpp hpp cs swift m dart \
    ex exs erl clj hs css scss less vue svelte astro r jl ipynb pem key svg map patch diff";

/// Whether a file of that name is meant to hold text. What has no ending may.
pub(super) fn may_be_text(path: &FilePath) -> bool {
    let name = path.name().to_ascii_lowercase();
    let bare = name.strip_prefix(b".").unwrap_or(&name);
    let Some(dot) = bare.iter().rposition(|byte| *byte == b'.') else { return true };
    let ending = &bare[dot + 1..];
    has_settings_name(&name) || [CODE, CONFIGURATION, PROSE].iter().any(|list| words(list).any(|it| it == ending))
}

fn has_settings_name(name: &[u8]) -> bool {
    name.starts_with(b".env")
        || name.starts_with(b"dockerfile")
        || matches!(
            name,
            b"makefile"
                | b"procfile"
                | b"jenkinsfile"
                | b"vagrantfile"
                | b"hosts"
                | b"config"
                | b"credentials"
                | b".netrc"
                | b"_netrc"
        )
}
