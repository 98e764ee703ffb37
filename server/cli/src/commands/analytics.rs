//! `analytics`: figures of a period as a table, as CSV or as data.

use augment_protocol::figures::{AskAnalytics, Bucket};
use augment_protocol::methods::AnalyticsShown;

use super::{Ended, Ending, Failure, Session, now_ms};
use crate::args::{AnalyticsArgs, By};
use crate::connect::Wish;
use crate::output::{Format, analytics};

pub(super) async fn run(session: &mut Session, args: AnalyticsArgs) -> Ended {
    if args.csv && session.output.format() == Format::Json {
        return Err(Failure::told("usage", "--csv and --json are two forms of the same. Choose one."));
    }
    let now = now_ms();
    let by = args.by.unwrap_or(By::Agent);
    let ask = AskAnalytics {
        from: args.from.map(|moment| moment.resolve(now)),
        to: args.to.map(|moment| moment.resolve(now)),
        bucket: Some(match by {
            By::Hour => Bucket::Hour,
            By::Agent | By::Type | By::Day => Bucket::Day,
            By::Week => Bucket::Week,
        }),
        utc_offset_minutes: None,
        agent: args.agent,
        label: args.label,
        session: args.session,
    };
    let figures = session.connect(Wish::OneShot).await?.call::<AnalyticsShown>(ask).await?;
    if args.csv {
        session.output.raw(analytics::csv(&figures, args.by, 0).as_bytes())?;
        return Ok(Ending::Done);
    }
    let width = session.output.width();
    session.show(&figures, |figures| analytics::told(figures, by, width))?;
    Ok(Ending::Done)
}
