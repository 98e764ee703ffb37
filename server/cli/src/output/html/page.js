// Draws the exported page from the data beside it. Whatever comes from outside is set as text, never as HTML; nothing is fetched, and
// only the rows that can be seen are drawn.

(() => {
  const rowHeight = 30;
  const headerHeight = 30;
  const lanesShown = 7;
  const spare = 8;
  const labelRows = 4;
  const labelHeight = 15;

  const read = (id) => JSON.parse(document.getElementById(id).textContent);
  const byId = (id) => document.getElementById(id);
  const facts = read("facts");
  const all = read("records").map(([sequence, time, actor, kind, subject, about, data, redacted, hash]) => ({
    sequence,
    time,
    actor,
    kind,
    subject,
    about,
    data,
    redacted: redacted === 1,
    hash,
  }));

  /** An element with a class and text or children. */
  function make(name, className, ...content) {
    const element = document.createElement(name);
    if (className) element.className = className;
    element.append(...content.filter((part) => part !== undefined && part !== null && part !== ""));
    return element;
  }

  const svgName = "http://www.w3.org/2000/svg";
  function draw(name, attributes, text) {
    const element = document.createElementNS(svgName, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
    if (text !== undefined) element.textContent = text;
    return element;
  }

  const moment = (ms) => {
    const date = new Date(ms);
    return Number.isNaN(date.getTime()) ? String(ms) : `${date.toISOString().replace("T", " ").slice(0, 19)}Z`;
  };
  const count = (number, what) => `${number.toLocaleString("en")} ${what}${number === 1 ? "" : "s"}`;
  const length = (ms) => {
    const minutes = Math.round(ms / 60_000);
    if (ms < 1_000) return "less than a second";
    if (minutes < 2) return `${Math.round(ms / 1_000)} s`;
    return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
  };
  const classOf = (actor) => /^(person|run|host)\b/.exec(actor)?.[1] ?? "other";
  /** Who did it: what the host saw of a file is told with whose work it is. */
  const whose = ({ kind, actor, data }) =>
    kind.startsWith("file.") && typeof data?.author === "string" ? data.author : actor;
  const isBad = (kind) => /refused|failed|broken|conflict/.test(kind);

  const gistKeys = ["title", "text", "message", "question", "summary", "result", "reason", "answer", "path"];
  const brief = (value) => (typeof value === "string" ? value : JSON.stringify(value));
  const isEmpty = (value) =>
    value === null || value === "" || (typeof value === "object" && Object.keys(value).length === 0);
  /** What a record is most about, and the rest of its data in a few words. */
  function told({ data }) {
    if (data === null || typeof data !== "object") return { gist: brief(data ?? ""), rest: "" };
    const key = gistKeys.find((name) => typeof data[name] === "string" && data[name] !== "");
    const rest = Object.entries(data).filter(([name, value]) => name !== key && !isEmpty(value));
    return { gist: key ? data[key] : "", rest: rest.map(([name, value]) => `${name}=${brief(value)}`).join(" ") };
  }

  // The head: what this is about.

  function drawHead() {
    const { session } = facts;
    const number = session && String(session.number).padStart(3, "0");
    const title = session ? `Session ${number} of ${facts.project}` : `Ledger of ${facts.project}`;
    byId("title").textContent = title;
    document.title = title;
    const wanted = facts.wanted.filter(([name]) => name !== "session").map(([name, value]) => `${name} ${value}`);
    byId("subtitle").textContent = [
      wanted.length > 0 ? `Only ${wanted.join(", ")}.` : "",
      `Exported ${moment(facts.made)}.`,
      facts.redacted > 0 ? `In ${count(facts.redacted, "record")} secrets were redacted.` : "",
    ]
      .filter(Boolean)
      .join(" ");
    const [first, last] = [all[0], all.at(-1)];
    const entries = session
      ? [
          ["State", session.state],
          ["Started", moment(session.startedAt)],
          ["Scope confirmed", session.confirmedAt === null ? "never" : moment(session.confirmedAt)],
          ["Ended", session.endedAt === null ? "not yet" : moment(session.endedAt)],
          ["Duration", session.endedAt === null ? null : length(session.endedAt - session.startedAt)],
          ["Why it ended", session.endReason],
          ["Began by itself", session.automatic],
          ["Model", session.model],
          ["Phase", session.phase],
          ["Sprint goal", session.sprintGoal],
          ["Progress", session.now[1] > 0 ? `${session.before.join("/")} → ${session.now.join("/")}` : null],
          ["Protocol", session.protocol],
        ]
      : [
          ["From", first ? moment(first.time) : null],
          ["To", last ? moment(last.time) : null],
          ["Duration", first ? length(last.time - first.time) : null],
        ];
    const actors = new Set(all.map(({ actor }) => actor)).size;
    entries.push(["Records", all.length.toLocaleString("en")], ["Actors", String(actors)]);
    if (facts.files.length > 0) entries.push(["Changed files", String(facts.files.length)]);
    for (const [name, value] of entries) {
      if (value !== null && value !== undefined)
        byId("head").append(make("div", "", make("dt", "", name), make("dd", "", value)));
    }
    if (facts.head) byId("head-hash").textContent = `The last record's hash: ${facts.head}`;
    if (session && session.items.length > 0) {
      byId("scope-section").hidden = false;
      for (const { title: what, task, goal, end } of session.items) {
        const words = make("span", "what", what, goal ? ` → ${goal}` : "");
        byId("scope").append(
          make("li", "", make("span", "mono", task ?? ""), words, make("span", `badge ${end ?? ""}`, end ?? "open")),
        );
      }
    }
  }

  // The list: rows are taken from a small stock and put where they can be seen.

  const list = byId("list");
  const space = make("div", "");

  /** The grid around the rows: only a script can fill it, so a script makes it. */
  function drawGrid() {
    const titles = ["#", "Time (UTC)", "Actor", "Kind", "What"];
    const columns = make("div", "");
    columns.id = "columns";
    columns.setAttribute("role", "row");
    columns.setAttribute("aria-rowindex", "1");
    for (const title of titles) {
      const column = make("span", "", title);
      column.setAttribute("role", "columnheader");
      columns.append(column);
    }
    space.id = "space";
    space.setAttribute("role", "rowgroup");
    list.setAttribute("role", "grid");
    list.setAttribute("aria-label", "Records");
    list.setAttribute("aria-colcount", String(titles.length));
    list.tabIndex = 0;
    list.append(columns, space);
  }
  let shown = all;
  let chosen = -1;
  const stock = [];
  let haystack;

  function rowAt(place) {
    let row = stock[place];
    if (row) return row;
    row = make("div", "row");
    row.setAttribute("role", "row");
    row.parts = ["number", "time", "actor", "kind", "what"].map((name) => {
      const part = make("span", name);
      part.setAttribute("role", "gridcell");
      row.append(part);
      return part;
    });
    row.addEventListener("click", () => choose(row.index));
    stock[place] = row;
    space.append(row);
    return row;
  }

  function fill(row, index) {
    const record = shown[index];
    const [number, time, actor, kind, what] = row.parts;
    row.index = index;
    row.id = `row-${index}`;
    row.hidden = false;
    row.style.top = `${index * rowHeight}px`;
    row.setAttribute("aria-rowindex", String(index + 2));
    row.setAttribute("aria-selected", String(index === chosen));
    number.textContent = String(record.sequence);
    time.textContent = moment(record.time).slice(0, 19);
    actor.textContent = record.actor;
    actor.className = `actor ${classOf(record.actor)}`;
    kind.textContent = record.kind;
    kind.className = isBad(record.kind) ? "kind bad" : "kind";
    const { gist, rest } = told(record);
    what.replaceChildren(
      ...(record.redacted ? [make("span", "redacted", "redacted ")] : []),
      make("span", "subject", record.subject),
      make("span", "gist", gist.slice(0, 300)),
      make("span", "rest", rest.slice(0, 300)),
    );
  }

  function drawRows() {
    const first = Math.max(0, Math.floor((list.scrollTop - headerHeight) / rowHeight) - spare);
    const last = Math.min(shown.length, Math.ceil((list.scrollTop + list.clientHeight) / rowHeight) + spare);
    for (let index = first; index < last; index += 1) fill(rowAt(index - first), index);
    for (const row of stock.slice(last - first)) row.hidden = true;
  }

  /** On paper nobody scrolls: every record that the filters leave is drawn. */
  function drawAllRows() {
    space.style.height = "auto";
    shown.forEach((_, index) => {
      fill(rowAt(index), index);
    });
    for (const row of stock.slice(shown.length)) row.hidden = true;
  }

  function choose(index) {
    if (shown.length === 0) return;
    chosen = Math.max(0, Math.min(shown.length - 1, index));
    const top = chosen * rowHeight;
    if (top < list.scrollTop) list.scrollTop = top;
    const lowest = list.scrollTop + list.clientHeight - headerHeight - rowHeight;
    if (top > lowest) list.scrollTop = top - list.clientHeight + headerHeight + rowHeight;
    drawRows();
    list.setAttribute("aria-activedescendant", `row-${chosen}`);
    drawDetails(shown[chosen]);
  }

  const filePath = (topic) => (topic.startsWith("file:") ? topic.slice(5) : undefined);

  function drawDetails(record) {
    const details = byId("details");
    const entries = [
      ["Time", moment(record.time)],
      ["Actor", record.actor],
      ["Subject", record.subject],
      ["About", record.about.join(", ")],
      ["Hash", record.hash],
    ];
    const told = make("dl", "");
    for (const [name, value] of entries) if (value) told.append(make("dt", "", name), make("dd", "mono", value));
    const close = make("button", "", "Close");
    close.type = "button";
    close.addEventListener("click", () => {
      details.hidden = true;
      list.focus();
    });
    const buttons = [record.subject, ...record.about]
      .map(filePath)
      .filter((path) => fileBoxes.has(path))
      .map((path) => {
        const button = make("button", "", `Changes of ${path}`);
        button.type = "button";
        button.addEventListener("click", () => {
          const box = fileBoxes.get(path);
          box.open = true;
          box.scrollIntoView({ block: "start" });
          box.firstElementChild.focus();
        });
        return button;
      });
    details.replaceChildren(
      make("h3", "", `${record.sequence} ${record.kind}`),
      ...(record.redacted
        ? [make("p", "redacted", "Secrets in this record were redacted. The hash is that of the text before.")]
        : []),
      told,
      make("pre", "", JSON.stringify(record.data, undefined, 2)),
      make("p", "", ...buttons.flatMap((button) => [button, " "]), close),
    );
    details.hidden = false;
  }

  function filter() {
    const [text, kind, actor] = ["text", "kind", "actor"].map((id) => byId(id).value);
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    // Made when it is first needed: opening the page should not wait for it.
    if (words.length > 0)
      haystack ??= new Map(
        all.map((record) => [
          record,
          [
            record.sequence,
            record.actor,
            record.kind,
            record.subject,
            record.about.join(" "),
            JSON.stringify(record.data),
          ]
            .join(" ")
            .toLowerCase(),
        ]),
      );
    shown = all.filter(
      (record) =>
        (actor === "" || record.actor === actor) &&
        (kind === "" || record.kind === kind || record.kind.startsWith(`${kind}.`)) &&
        words.every((word) => haystack.get(record).includes(word)),
    );
    chosen = -1;
    list.scrollTop = 0;
    list.removeAttribute("aria-activedescendant");
    byId("details").hidden = true;
    drawList();
    drawTimeline();
  }

  function drawList() {
    space.style.height = `${shown.length * rowHeight}px`;
    list.classList.toggle("short", shown.length * rowHeight < 400);
    list.setAttribute("aria-rowcount", String(shown.length + 1));
    byId("count").textContent =
      shown.length === all.length
        ? count(all.length, "record")
        : `${shown.length.toLocaleString("en")} of ${count(all.length, "record")}`;
    drawRows();
  }

  /** The values of a choice with how often each occurs. */
  function offer(id, values) {
    const counts = new Map();
    for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
    for (const [value, times] of [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).slice(0, 500)) {
      const option = make("option", "", `${value} (${times.toLocaleString("en")})`);
      option.value = value;
      byId(id).append(option);
    }
  }

  // The timeline: one lane for everybody who did something, a bar for each short span of time, a line where the session moved on.

  const milestones = {
    "session.started": "started",
    "session.confirmed": "scope confirmed",
    "session.checkpoint": "checkpoint",
    "session.continued": "continued",
    "session.ended": "ended",
    "session.abandoned": "abandoned",
  };

  function drawTimeline() {
    const place = byId("timeline");
    const width = Math.max(320, place.clientWidth);
    const [left, right, laneHeight, foot] = [150, 18, 34, 26];
    const spread = width - left - right;
    const counts = new Map();
    for (const record of shown) counts.set(whose(record), (counts.get(whose(record)) ?? 0) + 1);
    const actors = [...counts].sort(([, a], [, b]) => b - a).map(([actor]) => actor);
    const lanes = actors.length > lanesShown + 1 ? [...actors.slice(0, lanesShown), "others"] : actors;
    const laneOf = new Map(actors.map((actor, at) => [actor, Math.min(at, lanes.length - 1)]));
    let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (const { time } of shown) {
      if (time < from) from = time;
      if (time > to) to = time;
    }
    const span = Math.max(1, to - from);
    const x = (time) => left + ((time - from) / span) * spread;
    const marks = placed(x, left - 40, width - right);
    const top = 30 + Math.max(0, ...marks.map(({ row }) => row)) * labelHeight;
    const height = top + Math.max(1, lanes.length) * laneHeight + foot;
    const svg = draw("svg", {
      viewBox: `0 0 ${width} ${height}`,
      height,
      role: "img",
      "aria-labelledby": "timeline-title",
    });
    svg.append(
      draw(
        "title",
        { id: "timeline-title" },
        shown.length === 0
          ? "No record to show"
          : `${count(shown.length, "record")} by ${count(actors.length, "actor")} from ${moment(from)} to ${moment(to)}`,
      ),
    );
    place.replaceChildren(svg);
    byId("legend").textContent = "";
    if (shown.length === 0) return;

    lanes.forEach((actor, at) => {
      const y = top + at * laneHeight;
      svg.append(draw("line", { x1: left, x2: width - right, y1: y + laneHeight, y2: y + laneHeight }));
      const label = actor.length > 19 ? `${actor.slice(0, 18)}…` : actor;
      svg.append(draw("text", { x: 14, y: y + laneHeight / 2 + 5, class: "lane" }, label));
    });
    for (const { at, label } of ticks(from, to, Math.max(2, Math.floor(spread / 130)))) {
      svg.append(draw("line", { x1: x(at), x2: x(at), y1: top, y2: height - foot }));
      svg.append(draw("text", { x: x(at), y: height - 8, "text-anchor": "middle" }, label));
    }

    const step = 5;
    const bins = Math.max(1, Math.floor(spread / step));
    const bars = new Map();
    let most = 1;
    for (const record of shown) {
      const bin = Math.min(bins - 1, Math.floor(((record.time - from) / span) * bins));
      const key = laneOf.get(whose(record)) * bins + bin;
      const times = (bars.get(key) ?? 0) + 1;
      bars.set(key, times);
      if (times > most) most = times;
    }
    for (const [key, times] of bars) {
      const [lane, bin] = [Math.floor(key / bins), key % bins];
      const tall = 4 + (laneHeight - 10) * Math.sqrt(times / most);
      const bar = draw("rect", {
        x: left + (bin * spread) / bins,
        y: top + (lane + 1) * laneHeight - tall - 1,
        width: step - 1,
        height: tall,
        rx: 1,
        class: lanes[lane] === "others" ? "other" : classOf(lanes[lane]),
      });
      bar.append(
        draw("title", {}, `${lanes[lane]}: ${count(times, "record")} from ${moment(from + (bin * span) / bins)}`),
      );
      svg.append(bar);
    }

    for (const { at, words, begin, row } of marks) {
      const y = top - row * labelHeight;
      svg.append(draw("line", { x1: at, x2: at, y1: y - 8, y2: height - foot, class: "mark" }));
      svg.append(draw("text", { x: begin, y: y - 12, class: "milestone" }, words));
    }

    svg.addEventListener("click", (event) => {
      const box = svg.getBoundingClientRect();
      const wanted = from + (((event.clientX - box.left) * (width / box.width) - left) / spread) * span;
      let nearest = 0;
      shown.forEach(({ time }, at) => {
        if (Math.abs(time - wanted) < Math.abs(shown[nearest].time - wanted)) nearest = at;
      });
      choose(nearest);
    });
    byId("legend").textContent =
      `A bar is the records of ${length(span / bins)}, the highest ${count(most, "record")}. Click to go to that time in the list; the filters below hold here, too.`;
  }

  /** The milestones, each with room for its words in one of a few rows. One without room is left out: a line alone says nothing. */
  function placed(x, first, last) {
    const free = Array.from({ length: labelRows }, () => Number.NEGATIVE_INFINITY);
    const found = [];
    for (const { kind, time } of shown.filter((record) => Object.hasOwn(milestones, record.kind)).slice(0, 200)) {
      const [at, words] = [x(time), milestones[kind]];
      const wide = words.length * 6.6;
      const begin = Math.min(Math.max(at - wide / 2, first), last - wide);
      const row = free.findIndex((end) => begin >= end);
      if (row === -1) continue;
      free[row] = begin + wide + 10;
      found.push({ at, words, begin, row });
    }
    return found;
  }

  /** Round moments between two, with as much of them as tells them apart. */
  function ticks(from, to, most) {
    const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000];
    const steps = [1, 5, 15, 30].flatMap((n) => [n * second, n * minute]);
    steps.push(hour, 3 * hour, 6 * hour, 12 * hour, day, 2 * day, 7 * day, 30 * day, 90 * day, 365 * day);
    steps.sort((a, b) => a - b);
    const step = steps.find((it) => (to - from) / it <= most) ?? Math.ceil((to - from) / most);
    const found = [];
    for (let at = Math.ceil(from / step) * step; at <= to && found.length <= most; at += step) {
      const text = moment(at);
      const label = step >= day ? text.slice(0, 10) : step >= minute ? text.slice(11, 16) : text.slice(11, 19);
      found.push({ at, label });
    }
    return found;
  }

  // Reports in their boxes, and what was done to the files.

  function drawReports() {
    if (facts.reports.length === 0) return;
    byId("reports-section").hidden = false;
    facts.reports.forEach(({ level, task, time, text }, at) => {
      const box = make(
        "details",
        "report",
        make("summary", "", level, task ? ` ${task}` : "", make("span", "aside", moment(time))),
        make("pre", "", text),
      );
      box.open = at === facts.reports.length - 1;
      byId("reports").append(box);
    });
  }

  const fileBoxes = new Map();

  function drawChanges() {
    if (facts.files.length === 0) return;
    byId("changes-section").hidden = false;
    byId("changes-note").textContent = ["What is decided and what waits, as it stood at the export.", facts.filesLimit]
      .filter(Boolean)
      .join(" ");
    for (const file of facts.files) {
      const waits = file.hunks.filter(({ standing }) => standing === "pending").length;
      const words = `${count(file.hunks.length, "hunk")}${waits > 0 ? `, ${waits} pending` : ""}`;
      const box = make(
        "details",
        "file",
        make("summary", "", make("span", "mono", file.path), make("span", "aside", words)),
      );
      fileBoxes.set(file.path, box);
      // Hunks are drawn when somebody looks.
      box.addEventListener("toggle", () => {
        if (box.open && box.childElementCount === 1) box.append(...file.hunks.map(hunkBox));
      });
      box.open = facts.files.length <= 3;
      byId("changes").append(box);
    }
  }

  function hunkBox(hunk) {
    const pre = make("pre", "");
    for (const [sign, className, lines] of [
      ["−", "removed", hunk.removed],
      ["+", "added", hunk.added],
    ]) {
      for (const line of lines) pre.append(make("span", className, `${sign} ${line}`));
    }
    const head = make(
      "p",
      "",
      make("span", `badge ${hunk.standing}`, hunk.standing),
      make("span", "", `line ${hunk.line + 1}`),
      make("span", "", hunk.summary),
      make("span", "", hunk.author, hunk.task ? ` for ${hunk.task}` : ""),
      make("span", "", moment(hunk.time)),
    );
    return make(
      "div",
      "hunk",
      head,
      pre.childElementCount > 0 ? pre : "",
      hunk.cut ? make("p", "", "Only its beginning is shown.") : "",
    );
  }

  drawHead();
  drawGrid();
  offer(
    "kind",
    all.flatMap(({ kind }) => (kind.includes(".") ? [kind, kind.slice(0, kind.indexOf("."))] : [kind])),
  );
  offer(
    "actor",
    all.map(({ actor }) => actor),
  );
  drawReports();
  drawChanges();
  drawList();
  drawTimeline();

  list.addEventListener("scroll", drawRows, { passive: true });
  list.addEventListener("keydown", (event) => {
    const page = Math.max(1, Math.floor(list.clientHeight / rowHeight) - 2);
    const moves = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -all.length, End: all.length };
    if (!Object.hasOwn(moves, event.key)) return;
    event.preventDefault();
    choose(chosen + moves[event.key]);
  });
  byId("filters").addEventListener("submit", (event) => event.preventDefault());
  let soon;
  byId("text").addEventListener("input", () => {
    clearTimeout(soon);
    soon = setTimeout(filter, 120);
  });
  for (const id of ["kind", "actor"]) byId(id).addEventListener("change", filter);
  let drawnWidth = byId("timeline").clientWidth;
  new ResizeObserver(() => {
    if (byId("timeline").clientWidth === drawnWidth) return;
    drawnWidth = byId("timeline").clientWidth;
    drawTimeline();
    drawRows();
  }).observe(byId("timeline"));
  const paper = matchMedia("print");
  paper.addEventListener("change", () => (paper.matches ? drawAllRows() : drawList()));
  addEventListener("beforeprint", drawAllRows);
  addEventListener("afterprint", drawList);
  document.documentElement.dataset.ready = "true";
})();
