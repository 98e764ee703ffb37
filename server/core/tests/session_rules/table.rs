//! Every state of a session against everything that can be done to it: the state that comes of it, or the refusal.

use crate::script::Desk;
use crate::words::states;

const TABLE: &str = "
           | start             | confirm           | adjust add New | adjust add New; seen none | continue      | next                | finish a1 completed | end              | left      | wait 61m  | written    | taken up   | set session.protocol off
none       | planned           | no-session        | no-session     | no-session                | no-session    | working             | none                | no-session       | none      | none      | none       | none       | none
planned    | session-under-way | confirmed         | planned        | planned                   | no-checkpoint | scope-not-confirmed | planned             | abandoned        | abandoned | abandoned | planned    | planned    | session-under-way
confirmed  | session-under-way | already-confirmed | confirmed      | confirmed                 | no-checkpoint | working             | working             | abandoned        | abandoned | abandoned | confirmed  | confirmed  | session-under-way
working    | session-under-way | already-confirmed | working        | working                   | no-checkpoint | working             | working             | ending           | ending    | ending    | working    | working    | session-under-way
at work    | session-under-way | already-confirmed | working        | working                   | no-checkpoint | working             | working             | runs-at-work     | working   | working   | working    | working    | session-under-way
checkpoint | session-under-way | already-confirmed | working        | other-checkpoint          | working       | checkpoint-waits    | checkpoint          | ending           | ending    | ending    | checkpoint | checkpoint | session-under-way
ending     | session-under-way | already-confirmed | session-ending | session-ending            | no-checkpoint | session-ending      | ending              | session-ending   | ending    | ending    | ended      | ending     | session-under-way
ended      | planned           | no-session        | no-session     | no-session                | no-session    | working             | ended               | no-session       | ended     | ended     | ended      | ended      | ended
abandoned  | planned           | no-session        | no-session     | no-session                | no-session    | working             | abandoned           | no-session       | abandoned | abandoned | abandoned  | abandoned  | abandoned
";

/// How a session comes to stand so. The task a1 is not ended in any of them.
fn way_to(state: &str) -> &'static str {
    match state {
        "none" => "",
        "planned" => "start",
        "confirmed" => "start\n confirm",
        "working" => "start\n confirm\n claim a2\n finish a2 completed",
        "at work" => "start\n confirm\n claim a2",
        "checkpoint" => "checkpoint after 1\n start\n confirm\n claim a2\n finish a2 completed",
        "ending" => "start\n confirm\n claim a2\n finish a2 completed\n end",
        "ended" => "start\n confirm\n claim a2\n finish a2 completed\n end\n written",
        "abandoned" => "start\n end",
        other => panic!("{other:?} is no state"),
    }
}

#[test]
fn every_state_answers_everything_as_the_table_says() {
    let mut rows = TABLE.lines().filter(|line| !line.trim().is_empty());
    let cells = |row: &'static str| row.split('|').map(str::trim).collect::<Vec<&str>>();
    let orders = cells(rows.next().expect("a head"));
    let mut seen = Vec::new();
    for row in rows.map(cells) {
        assert_eq!(row.len(), orders.len(), "{row:?}");
        for (order, expected) in orders.iter().zip(&row).skip(1) {
            let mut desk = Desk::planned();
            desk.play("task Keep sessions");
            desk.play(way_to(row[0]));
            let stood = if row[0] == "at work" { "working" } else { row[0] };
            assert_eq!(desk.state(), stood);
            let came = desk.obey(order);
            let came = came.strip_prefix("refused ").unwrap_or_else(|| desk.state());
            assert_eq!(came, *expected, "{order} when {}", row[0]);
        }
        seen.push(row[0]);
    }
    seen.retain(|state| *state != "at work");
    assert_eq!(seen, states(), "every state has a row");
}
