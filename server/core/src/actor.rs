//! Who acts, and what each may do. A person decides and configures; a run (an agent at a task) reports and asks. Nothing
//! that an agent can write ever counts as a person's word: the role comes from the connection's token alone.

use std::fmt;

use crate::id::RunId;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Actor {
    Person {
        name: String,
    },
    Run {
        run: RunId,
    },
    /// The host itself: leases that run out, starts and stops.
    Host,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    Person,
    Run,
    Host,
}

impl Role {
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Person => "person",
            Self::Run => "run",
            Self::Host => "host",
        }
    }
}

impl Actor {
    #[must_use]
    pub fn role(&self) -> Role {
        match self {
            Self::Person { .. } => Role::Person,
            Self::Run { .. } => Role::Run,
            Self::Host => Role::Host,
        }
    }
}

impl fmt::Display for Actor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Person { name } => write!(f, "person:{name}"),
            Self::Run { run } => write!(f, "run:{run}"),
            Self::Host => write!(f, "host"),
        }
    }
}
