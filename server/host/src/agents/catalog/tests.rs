//! What the files make of the agents, and what a hostile workspace cannot make of them.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use super::*;

struct Bench {
    places: Places,
    folder: tempfile::TempDir,
}

fn bench(user: &str, workspace: &str) -> Bench {
    let folder = tempfile::tempdir().unwrap();
    let places = Places::below(folder.path());
    std::fs::create_dir_all(places.root.join(".augment")).unwrap();
    for (path, text) in [(&places.user_agents, user), (&places.workspace_agents, workspace)] {
        if !text.is_empty() {
            std::fs::write(path, text).unwrap();
        }
    }
    Bench { places, folder }
}

impl Bench {
    fn read(&self) -> Catalog {
        Catalog::read(&self.places)
    }

    fn settings(&self, user: &str, policy: &str) -> Settings {
        std::fs::write(&self.places.user_settings, user).unwrap();
        std::fs::write(&self.places.policy, policy).unwrap();
        Settings::read(&self.places)
    }
}

fn problems(user: &str, workspace: &str) -> String {
    bench(user, workspace).read().problems.join("\n")
}

fn sources(catalog: &Catalog) -> Vec<(&str, Source)> {
    catalog.agents.iter().map(|agent| (agent.spec.name.as_str(), agent.source)).collect()
}

#[test]
fn presets_are_there_and_a_user_changes_and_adds() {
    let bench = bench(
        "# mine\n[agents.goose]\nparallel = 2\n\n[agents.tests]\npreset = \"shell\"\ncommand = \"npm\"\nargs = [\"test\"]\n\
         timeLimit = 30\nset = { CI = \"1\" }\ncapabilities = [\"node\"]\n",
        "",
    );
    let catalog = bench.read();
    assert_eq!(catalog.problems, Vec::<String>::new());
    let names: Vec<&str> = catalog.agents.iter().map(|agent| agent.spec.name.as_str()).collect();
    assert_eq!(
        names,
        ["goose-headless", "codex", "gemini", "qwen", "opencode", "claude", "auggie", "goose", "tests"],
        "shell has nothing to start"
    );
    let goose = catalog.find("goose").unwrap();
    assert_eq!((goose.source, goose.spec.parallel, goose.spec.program.as_str()), (Source::User, 2, "goose"));
    let tests = catalog.find("tests").unwrap();
    assert_eq!((tests.spec.time_limit_ms, tests.spec.command_line()), (Some(1_800_000), "npm test".to_owned()));
    assert_eq!(catalog.find("gose").unwrap_err().to_string(), "There is no agent \"gose\". Did you mean goose?");
}

#[test]
fn what_is_wrong_is_told_with_file_and_key_and_the_agent_is_not_there() {
    let user = "[agents.goose]\nconfin = \"off\"\n\n[agents.two]\ncommand = 7\nargs = \"x\"\nset = { K = 1 }\nparallel = \"2\"\n\n[agents.three]\ncommand = \"true\"\n";
    let bench = bench(user, "");
    let catalog = bench.read();
    let path = bench.places.user_agents.display();
    let told = catalog.problems.join("\n");
    for expected in [
        format!("{path}: agents.goose: There is no key \"confin\". Did you mean confine?"),
        format!("{path}: agents.two: \"7\" does not fit command. Use a text in quotes."),
        format!("{path}: agents.two: \"\"x\"\" does not fit args. Use a list of texts such as [\"a\", \"b\"]."),
        format!("{path}: agents.two: \"…\" does not fit set."),
        format!("{path}: agents.two: \"\"2\"\" does not fit parallel. Use a whole number."),
    ] {
        assert!(told.contains(&expected), "{expected}\nis not in\n{told}");
    }
    // The preset does not step in for an agent that was to be held back.
    assert!(catalog.find("goose").unwrap_err().to_string().contains("Did you mean confine?"));
    assert!(catalog.find("three").is_ok());
    assert!(
        problems("[agent.x]\ncommand = \"y\"\n", "")
            .contains("There is nothing called \"agent\" here. Did you mean [agents.NAME]?")
    );
    assert!(problems("agents = 3\n", "").contains("There is nothing called \"agents\" here."));
    assert!(problems("[agents]\nx = 3\n", "").contains("agents.x: \"3\" does not fit agents."));
}

#[test]
fn files_that_cannot_be_understood_have_no_agents_and_hold_nobody_up() {
    assert!(problems("[agents.x]\ncommand = = 1\n", "").contains("Line 2 is not understood"));
    assert!(
        problems("", &"#".repeat(1_000_000)).contains("It is longer than 65536 bytes. None of its agents is there.")
    );
    let many: String = (0..70).map(|at| format!("[agents.a{at}]\ncommand = \"true\"\n")).collect();
    assert!(problems("", &many).contains("It has 70 agents; 64 are the most."));

    let bench = bench("", "");
    std::fs::write(&bench.places.workspace_agents, [b"[agents.x]\ncommand = \"".as_slice(), &[0xff, 0xfe]].concat())
        .unwrap();
    assert!(bench.read().problems[0].contains("It cannot be read"), "{:?}", bench.read().problems);
    std::fs::remove_file(&bench.places.workspace_agents).unwrap();
    let mode = rustix::fs::Mode::from_raw_mode(0o600);
    rustix::fs::mknodat(rustix::fs::CWD, &bench.places.workspace_agents, rustix::fs::FileType::Fifo, mode, 0).unwrap();
    assert!(bench.read().problems[0].contains("It is not a file."));
    std::fs::remove_file(&bench.places.workspace_agents).unwrap();
    std::fs::create_dir(&bench.places.workspace_agents).unwrap();
    assert!(bench.read().problems[0].contains("It is not a file."));
}

#[test]
fn no_file_makes_reading_fail() {
    let bench = bench("", "");
    let whole = b"[agents.x]\ncommand = \"./a\"\nargs = [\"a\", '{prompt}']\nprompt = \"argument\"\nset = { A = \"1\" }\nparallel = 2\ntimeLimit = \"1m\"\n[agents.y]\npreset = \"goose\"\n";
    let pieces: [&[u8]; 16] = [
        b"[",
        b"]",
        b"\"",
        b"=",
        b"\n",
        b"{",
        b"agents",
        b"\xff",
        b"\0",
        b"\xf0\x9f\x98\x80",
        b"-9223372036854775808",
        b".",
        b"a",
        b" ",
        b"1",
        "\u{202e}".as_bytes(),
    ];
    // A small generator of its own: the same files in every run.
    let mut seed = 7_u64;
    let mut random = |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(seed >> 33).unwrap() % below
    };
    let mut offered = 0;
    for _ in 0..300 {
        let mut text = whole.to_vec();
        for _ in 0..=random(4) {
            let at = random(text.len());
            let end = (at + random(6)).min(text.len());
            text.splice(at..end, pieces[random(pieces.len())].iter().copied());
        }
        std::fs::write(&bench.places.workspace_agents, &text).unwrap();
        let catalog = bench.read();
        for agent in catalog.agents.iter().filter(|agent| agent.source == Source::Workspace) {
            offered += 1;
            assert_eq!(agent.hash, agent::hash_of(&agent.text));
            assert!(!agent.text.chars().any(|c| c != '\n' && augment_core::text::is_unseen(c)), "{}", agent.text);
        }
    }
    assert!(offered > 10, "{offered} of these files had an agent");
}

#[test]
fn a_workspace_takes_no_name_of_the_users_or_of_a_preset() {
    let workspace = "[agents.mine]\ncommand = \"evil\"\n[agents.goose]\ncommand = \"evil\"\n[agents.Codex]\ncommand = \"evil\"\n\
                     [agents.shell]\ncommand = \"evil\"\n[agents.theirs]\ncommand = \"agent\"\n";
    let catalog = bench("[agents.mine]\ncommand = \"good\"\n", workspace).read();
    assert_eq!(catalog.find("mine").unwrap().spec.program, "good");
    assert_eq!(catalog.find("goose").unwrap().spec.program, "goose");
    assert_eq!(
        sources(&catalog).iter().filter(|(_, source)| *source == Source::Workspace).count(),
        1,
        "{:?}",
        sources(&catalog)
    );
    let told = catalog.problems.join("\n");
    assert!(
        told.contains("\"mine\" is an agent of your own, and a workspace cannot take its name; yours stays."),
        "{told}"
    );
    assert!(told.contains("\"goose\" is a preset") && told.contains("\"Codex\" is a preset"), "{told}");

    // Also when the user's own one is broken: nothing else takes its place.
    let catalog = bench("[agents.mine]\nnope = 1\n", "[agents.mine]\ncommand = \"evil\"\n").read();
    assert!(catalog.find("mine").is_err());
}

#[test]
fn a_yes_is_bound_to_all_that_the_agent_says() {
    let hash = |workspace: &str| bench("", workspace).read().find("theirs").unwrap().hash.clone();
    let first = "[agents.theirs]\ncommand = \"agent\"\n";
    let yes = hash(first);
    assert_eq!(hash(&format!("# a comment\n{first}")), yes, "what is not said does not count");
    for more in [
        "args = [\"--evil\"]",
        "env = [\"OPENAI_API_KEY\"]",
        "set = { A = \"1\" }",
        "confine = \"enforce\"",
        "doneBy = \"exit\"",
    ] {
        let changed = bench("", &format!("{first}{more}\n"));
        let catalog = changed.read();
        let agent = catalog.find("theirs").unwrap();
        assert!(!agent.is_allowed(|name, hash| (name, hash) == ("theirs", yes.as_str())), "{more}");
        assert!(agent.is_allowed(|_, hash| hash == agent.hash));
    }
    let catalog = bench("", first).read();
    assert!(catalog.find("theirs").unwrap().is_allowed(|_, hash| hash == yes));
    assert!(catalog.find("goose").unwrap().is_allowed(|_, _| false), "a preset needs no yes");
}

/// A workspace whose agent `theirs` says this. `{ws}` is the workspace's path; `sub/` and `run.sh` are in it.
fn naming(lines: &str) -> Bench {
    let bench = bench("", "");
    let text = lines.replace("{ws}", bench.places.root.to_str().unwrap());
    std::fs::write(&bench.places.workspace_agents, format!("[agents.theirs]\n{text}\n")).unwrap();
    std::fs::create_dir(bench.places.root.join("sub")).unwrap();
    bench.put("run.sh", "echo good\n");
    bench
}

impl Bench {
    fn put(&self, path: &str, content: &str) {
        std::fs::write(self.places.root.join(path), content).unwrap();
    }

    fn theirs(&self) -> Configured {
        let catalog = self.read();
        catalog.find("theirs").unwrap_or_else(|error| panic!("{error}")).clone()
    }
}

#[test]
fn a_yes_is_bound_to_the_content_of_each_file_that_is_named_however_it_is() {
    for lines in [
        "command = \"./run.sh\"",
        "command = \"sh\"\nargs = [\"run.sh\"]",
        "command = \"sh\"\nargs = [\"./run.sh\"]",
        "command = \"sh\"\nargs = [\"{ws}/run.sh\"]",
        "command = \"sh\"\nargs = [\"sub/../run.sh\"]",
        "command = \"sh\"\nargs = [\"{ws}/../root/./sub/../run.sh\"]",
        "command = \"agent\"\nargs = [\"--config=./run.sh\"]",
        "command = \"agent\"\nargs = [\"--define=config={ws}/run.sh\"]",
        "command = \"agent\"\nargs = [\"-r./run.sh\"]",
        "command = \"agent\"\nset = { CONFIG = \"run.sh\" }",
        "command = \"agent\"\nset = { OPTIONS = \"--config={ws}/sub/../run.sh\" }",
    ] {
        let bench = naming(lines);
        assert_eq!(bench.places.root.file_name().unwrap(), "root", "the paths above lead there");
        let first = bench.theirs();
        assert!(first.text.contains("content of \"run.sh\" = "), "{lines}: {}", first.text);
        assert!(first.text.ends_with("\n| echo good\n"), "{lines}: {}", first.text);
        bench.put("run.sh", "echo evil\n");
        let second = bench.theirs();
        assert_ne!(second.hash, first.hash, "{lines}");
        assert!(!first.is_current(&bench.places) && second.is_current(&bench.places), "{lines}");
        assert!(!second.is_allowed(|name, hash| (name, hash) == ("theirs", first.hash.as_str())), "{lines}");
        std::fs::remove_file(bench.places.root.join("run.sh")).unwrap();
        assert_ne!(bench.theirs().hash, first.hash, "{lines}");
        bench.put("run.sh", "echo good\n");
        assert_eq!(bench.theirs().hash, first.hash, "{lines}");
    }
}

#[test]
fn a_file_is_bound_to_once_and_what_is_outside_or_not_there_is_passed_over() {
    let bench = naming(
        "command = \"sh\"\nargs = [\"run.sh\", \"{ws}/run.sh\", \"/etc/passwd\", \"../x\", \"nothing\", \"run.sh/x\", \"\"]",
    );
    assert_eq!(bench.theirs().text.matches("content of").count(), 1, "{}", bench.theirs().text);
    // Where the person's PATH leads into the workspace, so does a name that is looked up.
    let spec = bench.theirs().spec;
    let looked_up = bench.places.root.join("sub/sh");
    bench.put("sub/sh", "mine");
    let bound = bound::bound_text(&spec, &bench.places.root, Some(&looked_up)).unwrap();
    assert!(bound.starts_with("content of \"sub/sh\" = "), "{bound}");
}

#[test]
fn what_a_yes_cannot_be_bound_to_is_refused_with_a_next_step() {
    let folder = "is a folder of the workspace, and a yes cannot be bound to all that is in it. Name the file in it";
    let link = "leads over the symbolic link \"link\", which may lead elsewhere tomorrow. Name the file itself";
    let way = "leads over the symbolic link \"way\"";
    let large = "is too large: what an agent names in the workspace may have 32 MB in all. Name a smaller file";
    for (lines, told) in [
        ("command = \"node\"\nargs = [\"./sub\"]", format!("\"./sub\" in args {folder}")),
        ("command = \"node\"\nargs = [\"sub\"]", format!("\"sub\" in args {folder}")),
        ("command = \"node\"\nargs = [\".\"]", format!("\".\" in args {folder}")),
        ("command = \"agent\"\nargs = [\"--dir=sub/\"]", format!("\"--dir=sub/\" in args {folder}")),
        ("command = \"node\"\nargs = [\"{ws}/sub\"]", folder.to_owned()),
        ("command = \"./sub\"", format!("\"./sub\" in command {folder}")),
        ("command = \"x\"\nset = { SECRET = \"sub\" }", format!("The value of SECRET in set {folder}")),
        ("command = \"./link\"", format!("\"./link\" in command {link}")),
        ("command = \"sh\"\nargs = [\"link\"]", format!("\"link\" in args {link}")),
        ("command = \"agent\"\nargs = [\"--file=link\"]", format!("\"--file=link\" in args {link}")),
        ("command = \"sh\"\nargs = [\"way/run.sh\"]", format!("\"way/run.sh\" in args {way}")),
        ("command = \"sh\"\nargs = [\"way/../run.sh\"]", format!("\"way/../run.sh\" in args {way}")),
        ("command = \"sh\"\nargs = [\"away/passwd\"]", "over the symbolic link \"away\"".to_owned()),
        ("command = \"x\"\nset = { SECRET = \"link\" }", format!("The value of SECRET in set {link}")),
        ("command = \"sh\"\nargs = [\"large\"]", format!("\"large\" in args {large}")),
        ("command = \"sh\"\nargs = [\"pipe\"]", "\"pipe\" in args is a pipe, a socket or a device".to_owned()),
    ] {
        let bench = naming(lines);
        let at = |path: &str| bench.places.root.join(path);
        std::os::unix::fs::symlink("run.sh", at("link")).unwrap();
        std::os::unix::fs::symlink("sub", at("way")).unwrap();
        std::os::unix::fs::symlink("/etc", at("away")).unwrap();
        std::fs::File::create(at("large")).unwrap().set_len(33 * 1_024 * 1_024).unwrap();
        let mode = rustix::fs::Mode::from_raw_mode(0o600);
        rustix::fs::mknodat(rustix::fs::CWD, at("pipe"), rustix::fs::FileType::Fifo, mode, 0).unwrap();
        let catalog = bench.read();
        let problem = catalog.problems.join("\n");
        assert!(problem.contains(&told), "{lines}: {problem}");
        assert!(problem.ends_with("or configure the agent in your own file."), "{lines}: {problem}");
        assert!(matches!(catalog.find("theirs"), Err(CatalogError::Broken { .. })), "{lines}");
    }
}

#[test]
fn a_presets_own_words_name_no_files() {
    let bench = naming("preset = \"goose\"");
    for folder in ["acp", "developer", "approve"] {
        std::fs::create_dir(bench.places.root.join(folder)).unwrap();
    }
    assert_eq!(bench.theirs().spec.program, "goose");
}

#[test]
fn what_is_shown_of_a_file_is_text_and_looks_like_no_other_line() {
    let bench = naming("command = \"sh\"\nargs = [\"run.sh\", \"more\"]");
    bench.put("run.sh", "a\u{1b}[2J\r\n\nadapter = \"acp\"\n\tx");
    let text = bench.theirs().text;
    assert!(
        text.ends_with("\n| a\\u{1b}[2J\\r\n| \n| adapter = \"acp\"\n| \tx\n  no line break at its end\n"),
        "{text}"
    );
    std::fs::write(bench.places.root.join("run.sh"), [0xff, 0, 1]).unwrap();
    assert!(bench.theirs().text.ends_with("\n  not shown, since it is no text: 3 bytes\n"));
    let [half, whole] = ["x\n".repeat(10_000), "x\n".repeat(40_000)];
    bench.put("run.sh", &whole);
    assert!(bench.theirs().text.ends_with("\n  not shown, since it is too long: 80000 bytes\n"));
    bench.put("run.sh", &half);
    bench.put("more", &half);
    let text = bench.theirs().text;
    assert!(text.ends_with("\n  not shown, since it is too long: 20000 bytes\n") && text.len() < 66_000, "in all");
    assert!(!format!("{:?}", bench.theirs()).contains("content of"));
}

#[test]
fn a_workspace_cannot_make_looking_at_it_last() {
    // Each `=` begins a path of its own, and all but the last part of each are there.
    let deep = "/a=b".repeat(600);
    let bench = naming(&format!("command = \"agent\"\nargs = [\"a=b{deep}/nothing\"]"));
    std::fs::create_dir_all(bench.places.root.join(format!("b{deep}"))).unwrap();
    let told = bench.read().problems.join("\n");
    assert!(told.contains("have too many parts to be looked at. Shorten it"), "{told}");
}

#[test]
fn a_workspace_and_a_policy_only_tighten() {
    let workspace = "[agents.loose]\ncommand = \"x\"\nconfine = \"off\"\npermission = \"allow\"\n\
                     [agents.strict]\ncommand = \"x\"\nconfine = \"enforce\"\npermission = \"refuse\"\n";
    let user = "[agents.own]\ncommand = \"x\"\nconfine = \"off\"\npermission = \"allow\"\n";
    let bench = bench(user, workspace);
    let catalog = bench.read();
    let of = |name: &str, settings: &Settings, is_available| {
        let agent = catalog.find(name).unwrap();
        (agent.confine(settings, is_available).name(), agent.permission(settings).name())
    };
    let usual = bench.settings("", "");
    assert_eq!(of("goose", &usual, true), ("enforce", "ask"));
    assert_eq!(of("goose", &usual, false), ("warn", "ask"), "the default starts everywhere");
    assert_eq!(of("own", &usual, true), ("off", "allow"));
    assert_eq!(of("loose", &usual, true), ("enforce", "ask"));
    assert_eq!(of("loose", &usual, false), ("warn", "ask"));
    assert_eq!(of("strict", &usual, false), ("enforce", "refuse"));
    assert_eq!(
        catalog.find("loose").unwrap().refused_wishes(&usual),
        [
            "confine = off would loosen agents.confine; enforce stays in force.",
            "permission = allow would loosen agents.permission; ask stays in force."
        ]
    );
    assert!(catalog.find("own").unwrap().refused_wishes(&usual).is_empty());

    let said = bench.settings("[agents]\nconfine = \"enforce\"\n", "");
    assert_eq!(of("goose", &said, false), ("enforce", "ask"), "what somebody asked for stays");
    let tight =
        bench.settings("[agents]\nconfine = \"off\"\n", "[agents]\nconfine = \"warn\"\npermission = \"refuse\"\n");
    assert_eq!(of("own", &tight, true), ("warn", "refuse"));
}

#[test]
fn an_agent_gets_what_is_listed_and_no_secret_of_ours() {
    let spec = bench("[agents.x]\ncommand = \"x\"\nenv = [\"MY_KEY\"]\nset = { LANG = \"C\", A = \"1\" }\n", "").read();
    let spec = spec.find("x").unwrap().spec.clone();
    let given = [
        ("PATH", "/bin"),
        ("LANG", "de"),
        ("MY_KEY", "k"),
        ("OTHER_KEY", "s"),
        ("AUGMENT_TOKEN", "t"),
        ("AUGMENT_HOME", "/h"),
        ("LC_ALL", "C"),
    ];
    let got = environment(&spec, given.map(|(name, value)| (name.into(), value.into())));
    let got: Vec<(&str, &str)> =
        got.iter().map(|(name, value)| (name.to_str().unwrap(), value.to_str().unwrap())).collect();
    assert_eq!(got, [("PATH", "/bin"), ("MY_KEY", "k"), ("LC_ALL", "C"), ("LANG", "C"), ("A", "1")]);
}

fn executable(path: &Path) -> PathBuf {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, "#!/bin/sh\n").unwrap();
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path.to_owned()
}

#[test]
fn programs_are_found_where_the_person_has_them_and_never_in_the_workspace_by_name() {
    let bench = bench("[agents.home]\ncommand = \"~/bin/h\"\n", "[agents.below]\ncommand = \"./tools/b\"\n");
    let catalog = bench.read();
    let place = |name: &str| bench.folder.path().join(name);
    let set = |path: &str| vec![("PATH".into(), path.into()), ("HOME".into(), place("home").into())];
    let find = |name: &str, path: &str| {
        find_program(&catalog.find(name).unwrap().spec, &bench.places.root, &set(path))
            .map_err(|error| error.to_string())
    };
    let bin = place("bin").display().to_string();
    executable(&bench.places.root.join("goose"));
    // Leads to the workspace from wherever the test runs.
    let relative = format!("{}{}", "../".repeat(30), bench.places.root.strip_prefix("/").unwrap().display());
    assert!(Path::new(&relative).join("goose").is_file());
    let said = find("goose", &format!("{relative}::{bin}")).unwrap_err();
    assert_eq!(
        said,
        "The program goose was not found in PATH. Install it from https://block.github.io/goose. Run `goose configure` once."
    );
    let goose = executable(&place("bin/goose"));
    assert_eq!(find("goose", &format!("{relative}:{bin}")), Ok(goose.clone()));
    std::fs::set_permissions(&goose, std::fs::Permissions::from_mode(0o644)).unwrap();
    assert!(find("goose", &bin).unwrap_err().contains("is not executable"));
    assert!(find("home", &bin).unwrap_err().contains("does not exist"));
    let own = executable(&place("home/bin/h"));
    assert_eq!(find("home", &bin), Ok(own));
    let below = executable(&bench.places.root.join("tools/b"));
    assert_eq!(find("below", &bin), Ok(below));
}

#[test]
fn an_agents_own_folders_are_made_and_files_are_not() {
    let bench = bench(
        "[agents.x]\ncommand = \"x\"\nwritable = [\"~/.x/deep/\", \"~/.cache/x\", \"~/.x.json\", \"/srv/x\"]\n",
        "",
    );
    let catalog = bench.read();
    let home = bench.folder.path().join("home");
    let environment =
        [("HOME", home.as_path()), ("TMPDIR", "/var/tmp".as_ref()), ("XDG_CACHE_HOME", "/cache".as_ref())];
    let environment = environment.map(|(name, value)| (name.into(), value.into()));
    let paths = writable(&catalog.find("x").unwrap().spec, &bench.places.root, &environment);
    assert_eq!(
        paths,
        [
            bench.places.root.clone(),
            "/var/tmp".into(),
            home.join(".x/deep"),
            "/cache/x".into(),
            home.join(".x.json"),
            "/srv/x".into()
        ]
    );
    assert!(home.join(".x/deep").is_dir() && !home.join(".x.json").exists());
    assert_eq!(std::fs::metadata(home.join(".x/deep")).unwrap().permissions().mode() & 0o777, 0o700);
}
