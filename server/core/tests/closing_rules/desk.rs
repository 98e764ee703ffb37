//! A session that has ended, and somebody who takes its steps as the host does: each order is answered with what would have
//! come of it outside.

use augment_core::actor::Actor;
use augment_core::closing::{
    Artifact, Check, CloseStep, Closing, Completion, Content, Delivered, Outside, StepClosed, StepName, StepWork,
};
use augment_core::file::FilePath;
use augment_core::session::SessionId;
use augment_core::simulation::Backend as _;
use augment_core::turn::{Command, Input};

use crate::script::Desk;

pub(crate) struct Closed {
    pub(crate) desk: Desk,
}

pub(crate) fn nothing() -> Outside {
    Outside::default()
}

fn completion() -> Completion {
    Completion {
        session: SessionId(1),
        artifacts: Vec::new(),
        deliver: None,
        learnings: Vec::new(),
        rating: None,
        feedback: None,
        tags: Vec::new(),
    }
}

pub(crate) fn rating(rating: Option<u32>, feedback: Option<&str>) -> Completion {
    Completion { rating, feedback: feedback.map(str::to_owned), ..completion() }
}

pub(crate) fn artifact(path: &str) -> Completion {
    Completion { artifacts: vec![path.to_owned()], ..completion() }
}

pub(crate) fn learning(text: &str) -> Completion {
    Completion { learnings: vec![text.to_owned()], ..completion() }
}

fn present(path: &FilePath) -> Artifact {
    Artifact {
        path: path.to_text(),
        hash: Some("00".repeat(32)),
        size: Some(4),
        check: Check::Present,
        delivered: Delivered::Workspace,
        received: true,
    }
}

impl Closed {
    pub(crate) fn after(script: &str) -> Self {
        let mut desk = Desk::planned();
        desk.play(script);
        Self { desk }
    }

    fn turn(&mut self, input: &Input) -> Option<&'static str> {
        let now = self.desk.now.clone();
        let Ok(verdict) = self.desk.memory.turn(input, &now);
        verdict.err().map(|refusal| refusal.code())
    }

    fn ask(&mut self, command: Command) -> Option<&'static str> {
        self.turn(&Input::Asked { actor: Actor::Person { name: "ada".to_owned() }, command })
    }

    pub(crate) fn closing(&self) -> &Closing {
        self.desk.memory.governed().closings.values().next_back().expect("it is being completed")
    }

    pub(crate) fn standing(&self) -> String {
        self.closing().steps.iter().map(|step| step.outcome.name()).collect::<Vec<_>>().join(" ")
    }

    pub(crate) fn evidence(&self, name: StepName) -> Vec<String> {
        self.closing().steps.iter().find(|step| step.name == name).expect("all seven are there").evidence.clone()
    }

    pub(crate) fn tries(&self, name: StepName) -> u32 {
        self.closing().steps.iter().find(|step| step.name == name).expect("all seven are there").tries
    }

    /// The data of all records of a kind.
    pub(crate) fn records(&self, kind: &str) -> Vec<String> {
        let links = self.desk.memory.links().iter();
        links.filter(|link| link.record.kind == kind).map(|link| link.record.data.clone()).collect()
    }

    /// The last order to take a step.
    fn order(&self) -> CloseStep {
        self.desk.memory.governed().to_close.last().expect("a step is wanted").clone()
    }

    /// Which step is wanted next.
    pub(crate) fn wanted(&self) -> Option<StepName> {
        self.closing().next().filter(|step| self.order().step == *step)
    }

    pub(crate) fn tell(&mut self, step: StepName, outside: Outside) {
        let session = self.closing().session;
        assert_eq!(self.turn(&Input::StepClosed(StepClosed { session, step, outside })), None);
    }

    /// Takes the step that is wanted, and all goes well.
    pub(crate) fn take(&mut self) -> StepName {
        let order = self.order();
        let outside = match &order.work {
            StepWork::Nothing | StepWork::CleanUp { .. } => nothing(),
            StepWork::Outputs { paths, .. } => Outside { artifacts: paths.iter().map(present).collect(), ..nothing() },
            StepWork::Archive(content) => {
                let folder = content.folder.clone().unwrap_or_else(|| format!("{}/one", content.archives));
                Outside { folder: Some(folder), ..nothing() }
            }
            StepWork::Notify(_) => Outside { evidence: vec!["told".to_owned()], ..nothing() },
        };
        self.tell(order.step, outside);
        order.step
    }

    pub(crate) fn take_until(&mut self, until: StepName) {
        while self.wanted().is_some_and(|step| step != until) {
            self.take();
        }
    }

    pub(crate) fn take_all(&mut self) {
        while self.wanted().is_some() {
            self.take();
        }
    }

    pub(crate) fn fail(&mut self, why: &str) {
        let step = self.order().step;
        self.tell(step, Outside { failure: Some(why.to_owned()), ..nothing() });
    }

    pub(crate) fn seal(&mut self, failure: Option<&str>) {
        let session = self.closing().session;
        let failure = failure.map(str::to_owned);
        assert_eq!(self.turn(&Input::ArchiveSealed { session, failure }), None);
    }

    pub(crate) fn taken_up(&mut self) {
        assert_eq!(self.turn(&Input::SessionTakenUp), None);
    }

    /// A program is about to be told.
    pub(crate) fn notice_begun(&mut self) {
        let session = self.closing().session;
        assert_eq!(self.turn(&Input::NoticeBegun { session }), None);
    }

    /// Whether somebody is to be told next.
    pub(crate) fn tells(&self) -> bool {
        match self.order().work {
            StepWork::Notify(_) => true,
            StepWork::Nothing | StepWork::CleanUp { .. } | StepWork::Outputs { .. } | StepWork::Archive(_) => false,
        }
    }

    pub(crate) fn refused_resume(&mut self) -> Option<&'static str> {
        self.ask(Command::ResumeSession(SessionId(1)))
    }

    pub(crate) fn complete(&mut self, change: impl FnOnce(&mut Completion)) {
        let mut completion = completion();
        change(&mut completion);
        assert_eq!(self.ask(Command::CompleteSession(Box::new(completion))), None);
    }

    pub(crate) fn refused(&mut self, completion: Completion) -> &'static str {
        self.ask(Command::CompleteSession(Box::new(completion))).expect("it is refused")
    }

    /// The files that are to be looked at.
    pub(crate) fn outputs(&self) -> Vec<String> {
        let orders = self.desk.memory.governed().to_close.iter().rev();
        let work = orders.map(|order| &order.work).find_map(|work| match work {
            StepWork::Outputs { paths, .. } => Some(paths.iter().map(FilePath::to_text).collect()),
            StepWork::Nothing | StepWork::CleanUp { .. } | StepWork::Archive(_) | StepWork::Notify(_) => None,
        });
        work.unwrap_or_default()
    }

    pub(crate) fn answer_outputs(&mut self, change: impl Fn(&mut Artifact)) {
        let StepWork::Outputs { paths, .. } = self.order().work else { panic!("outputs are wanted") };
        let mut artifacts: Vec<Artifact> = paths.iter().map(present).collect();
        artifacts.iter_mut().for_each(change);
        self.tell(StepName::Outputs, Outside { artifacts, ..nothing() });
    }

    /// What the archive is told last.
    pub(crate) fn content(&self) -> Content {
        let archives = self.desk.memory.governed().to_close.iter().rev().find_map(|order| match &order.work {
            StepWork::Archive(content) => Some((**content).clone()),
            StepWork::Nothing | StepWork::CleanUp { .. } | StepWork::Outputs { .. } | StepWork::Notify(_) => None,
        });
        archives.expect("an archive was wanted")
    }
}
