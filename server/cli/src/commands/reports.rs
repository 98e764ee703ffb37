//! Reports of the session as they come. They are pushed: whoever watches sees each of them, whether or not they asked.

use augment_protocol::methods::SessionReports;
use augment_protocol::sessions::{ListReports, SessionReport};

use super::{Failure, Session};
use crate::client::Client;
use crate::output::{Format, session as shown};

/// The most that the host gives in one page.
const PAGE: u32 = 1_000;

/// Knows which reports were told already.
#[derive(Debug, Default)]
pub(super) struct Reports {
    last: u64,
}

impl Reports {
    /// From now on: what was told before is not told again.
    pub(super) async fn from_now(client: &mut Client) -> Result<Self, Failure> {
        let newest = ListReports { limit: Some(1), ..ListReports::default() };
        let list = client.call::<SessionReports>(newest).await?;
        Ok(Self { last: list.reports.last().map_or(0, |report| report.number) })
    }

    /// Those that came since the last look.
    pub(super) async fn fresh(&mut self, client: &mut Client) -> Result<Vec<SessionReport>, Failure> {
        let since = ListReports { after: Some(self.last), limit: Some(PAGE), ..ListReports::default() };
        let reports = client.call::<SessionReports>(since).await?.reports;
        self.last = reports.last().map_or(self.last, |report| report.number.max(self.last));
        Ok(reports)
    }

    /// Prints those that came since the last look and are wanted.
    pub(super) async fn print_fresh(
        &mut self,
        session: &Session,
        client: &mut Client,
        wanted: impl Fn(&SessionReport) -> bool,
    ) -> Result<(), Failure> {
        for report in self.fresh(client).await?.iter().filter(|report| wanted(report)) {
            match session.output.format() {
                Format::Json => session.output.json(&serde_json::json!({ "report": report }))?,
                Format::Human => session.output.print(&shown::report(report))?,
            }
        }
        Ok(())
    }
}
