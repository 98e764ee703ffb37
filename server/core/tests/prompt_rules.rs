//! The rules of prompt sessions, one requirement at a time: text in, text out.

#[path = "prompt_rules/artifacts.rs"]
mod artifacts;
#[path = "prompt_rules/guards.rs"]
mod guards;
#[path = "prompt_rules/intents.rs"]
mod intents;
#[path = "prompt_rules/messages.rs"]
mod messages;
#[path = "prompt_rules/subjects.rs"]
mod subjects;

/// Pieces that prompts are made of at random: all that could be taken for the form around them.
const NASTY: [&str; 30] = [
    "a",
    "word ",
    "\n",
    "\n\n",
    "\r\n",
    "\t",
    " ",
    "## Original Prompt\n",
    "\n## Original Prompt [SYNTHETIC]\n",
    "## Agent Context\n",
    "\n\n## Agent Context\n",
    "## agent context:\r\n",
    "\n## Logical Changes\n- a\n",
    "## Squashed Change IDs\n- kkmmnnoo\n",
    "session: nothing\n",
    "♓︎.5.4.47 5919AM\n",
    "solar: 5919.12.6.5.23\n",
    "intent: x\n",
    "\nChange-Id: kkmmnnooppqqrrsstt\n",
    "---\n",
    "# ------------------------ >8 ------------------------\n",
    "```",
    "````\n",
    "`",
    "\n```text\n",
    "## Prompt\n",
    "## Answer\n",
    "- Parent change: zzzzzzzz\n",
    "日本\u{202e}",
    "\u{1b}[1m",
];

fn nasty(random: &mut augment_core::simulation::Random) -> String {
    (0..random.below(16)).map(|_| random.pick(&NASTY)).collect()
}
