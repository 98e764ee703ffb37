//! Which variables of the person's environment an agent gets. One list for all agents, and what an agent's own
//! configuration names; nothing else, since an environment is full of secrets.

/// What every program needs to find its way: where things are, which language, which terminal, which way to the network.
const ALWAYS: [&str; 22] = [
    "PATH",
    "HOME",
    "LANG",
    "LANGUAGE",
    "TERM",
    "COLORTERM",
    "USER",
    "LOGNAME",
    "SHELL",
    "TMPDIR",
    "TZ",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "NODE_EXTRA_CA_CERTS",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "NO_PROXY",
    "ALL_PROXY",
    "http_proxy",
    "https_proxy",
    "no_proxy",
    "all_proxy",
];
const ALWAYS_BEGIN: [&str; 2] = ["LC_", "XDG_"];

/// Variables that begin like ours and are Auggie's.
const AUGGIES: [&str; 3] = ["AUGMENT_API_TOKEN", "AUGMENT_API_URL", "AUGMENT_SESSION_AUTH"];

/// Whether every agent gets this variable.
#[must_use]
pub fn is_always_passed(name: &str) -> bool {
    ALWAYS.contains(&name) || ALWAYS_BEGIN.iter().any(|begin| name.starts_with(begin))
}

/// Whether a variable is one of ours: they say which run somebody is and by which token, so no configuration has a say.
#[must_use]
pub fn is_ours(name: &str) -> bool {
    name.get(..8).is_some_and(|begin| begin.eq_ignore_ascii_case("AUGMENT_")) && !AUGGIES.contains(&name)
}

pub(super) fn is_name(name: &str) -> bool {
    let mut bytes = name.bytes();
    bytes.next().is_some_and(|first| first.is_ascii_alphabetic() || first == b'_')
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && name.len() <= 128
}

/// Variables that make other programs run or load something, which a workspace has no say in.
pub(super) fn steers_programs(name: &str) -> bool {
    is_always_passed(name)
        || ["LD_", "DYLD_", "GIT_", "BASH_", "PYTHON", "PERL5", "RUBY", "NODE_", "NPM_", "npm_"]
            .iter()
            .any(|begin| name.starts_with(begin))
        || ["ENV", "IFS", "EDITOR", "VISUAL", "PAGER", "BROWSER"].contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_agent_gets_what_it_needs_and_no_secret() {
        for name in ["PATH", "HOME", "LC_ALL", "XDG_CONFIG_HOME", "https_proxy", "TMPDIR"] {
            assert!(is_always_passed(name), "{name}");
        }
        for name in
            ["AUGMENT_TOKEN", "GITHUB_TOKEN", "AWS_SECRET_ACCESS_KEY", "SSH_AUTH_SOCK", "OPENAI_API_KEY", "path"]
        {
            assert!(!is_always_passed(name), "{name}");
        }
    }

    #[test]
    fn our_own_variables_are_nobodys_to_set() {
        for name in ["AUGMENT_TOKEN", "AUGMENT_HOME", "AUGMENT_RUN", "AUGMENT_anything", "augment_token"] {
            assert!(is_ours(name), "{name}");
        }
        for name in ["AUGMENT_SESSION_AUTH", "AUGMENT_API_TOKEN", "AUGMENTED", "PATH", "äöüäöü"] {
            assert!(!is_ours(name), "{name}");
        }
    }

    #[test]
    fn names_of_variables_are_plain() {
        for name in ["A", "_x9", "OPENAI_API_KEY"] {
            assert!(is_name(name), "{name}");
        }
        for name in ["", "9A", "A-B", "A=B", "A B", "Ä", "A\n"] {
            assert!(!is_name(name), "{name}");
        }
    }
}
