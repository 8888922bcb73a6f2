// The data block, made convenient: columns stay columns, words are looked up when they are shown.

const DATA = JSON.parse(document.getElementById("data").textContent);
DATA.run = { arguments: [], internal_errors: [], files: [], ...DATA.run };
const WORDS = DATA.words;
const word = (at) => WORDS[at] || "";

const ROWS = DATA.rows;
const FOUND = DATA.findings;
const ELEMENTS = DATA.elements;
const PLACES = DATA.places;

// A column of which all entries are the same is written once.
function expand(columns, length) {
  for (const [name, column] of Object.entries(columns)) {
    if (!Array.isArray(column)) columns[name] = new Array(length).fill(column);
  }
}
expand(ROWS, DATA.lengths.rows);
expand(FOUND, DATA.lengths.findings);
expand(ELEMENTS, DATA.lengths.elements);
expand(PLACES, DATA.lengths.places);

const COUNT = { rows: DATA.lengths.rows, elements: DATA.lengths.elements, files: DATA.files.length };

// Standings of what was edited, and grades of elements: one vocabulary. Worst first.
const STATUS = {
  hole: { symbol: "✗", text: "hole", long: "hole: no property notices", rank: 0 },
  partly: { symbol: "◐", text: "partly", long: "partly covered: some edits are noticed, some are holes", rank: 1 },
  bounded: { symbol: "⋯", text: "bounded", long: "not noticed up to a bound, unknown beyond", rank: 2 },
  unknown: { symbol: "?", text: "unknown", long: "not decided", rank: 3 },
  dead: { symbol: "∅", text: "dead", long: "dead: no reachable state executes it", rank: 4 },
  "no-effect": { symbol: "≈", text: "no effect", long: "no effect: nobody could notice", rank: 5 },
  covered: { symbol: "✓", text: "covered", long: "covered: some property notices", rank: 6 },
  waived: { symbol: "⊘", text: "waived", long: "waived: does not count, says the user", rank: 7 },
  none: { symbol: "", text: "not measured", long: "not measured", rank: 8 },
};
const STATUSES = Object.keys(STATUS).filter((name) => name !== "none" && name !== "partly");

const LADDER = {
  unknown: "unknown",
  dead: "dead",
  "outside-cone": "outside every cone of influence",
  "no-core": "in no core",
  survived: "a mutant survives",
  "no-effect": "no observable effect",
  may: "in some core (MAY)",
  must: "in every core (MUST)",
  killed: "a mutant is killed",
  waived: "waived",
};

const VERDICT = {
  proved: { symbol: "✓", text: "proved", status: "covered" },
  falsified: { symbol: "✗", text: "failed", status: "hole" },
  reached: { symbol: "✓", text: "reached", status: "covered" },
  unreachable: { symbol: "✗", text: "unreachable", status: "hole" },
  bounded: { symbol: "⋯", text: "bounded", status: "bounded" },
  unknown: { symbol: "?", text: "unknown", status: "unknown" },
};

// The status of a row, in the words of its metric.
function rowBadge(r) {
  const status = row.status(r);
  return row.metric(r).name === "reach" && status === "covered" ? badge(status, "reached", "reached: some run executes it") : badge(status);
}

function badge(status, text, title) {
  const known = STATUS[status] || STATUS.none;
  return make("span.badge.s-" + status, { title: title || known.long }, make("span.symbol", { "aria-hidden": "true" }, known.symbol), text === undefined ? known.text : text);
}

function verdictBadge(property) {
  const known = VERDICT[property.verdict] || VERDICT.unknown;
  const vacuous = property.vacuous && property.verdict === "proved";
  return make("span.badge.s-" + (vacuous ? "bounded" : known.status), null, make("span.symbol", { "aria-hidden": "true" }, known.symbol), known.text + (vacuous ? " (vacuous)" : ""));
}

const METRICS = DATA.metrics;
const PROPERTIES = DATA.properties;
const propertyAt = new Map(PROPERTIES.map((property, at) => [property.name, at]));
const fileAt = new Map(DATA.files.map((file, at) => [file.path, at]));
const elementAt = new Map();
// Names say which element it is in this run; keys, which links are made of, do so in the next one, too.
const elementNamed = new Map();
const elementKeyed = new Map();
const propertyKeyed = new Map(DATA.property_keys.map((key, at) => [key, at]));
for (let e = 0; e < COUNT.elements; e++) {
  elementAt.set(ELEMENTS.id[e], e);
  const name = word(ELEMENTS.name[e]);
  if (!elementNamed.has(name)) elementNamed.set(name, e);
  elementKeyed.set(word(ELEMENTS.key[e]), e);
}

const element = {
  name: (e) => word(ELEMENTS.name[e]),
  key: (e) => word(ELEMENTS.key[e]),
  scope: (e) => word(ELEMENTS.scope[e]),
  kind: (e) => word(ELEMENTS.kind[e]),
  role: (e) => word(ELEMENTS.role[e]),
  grade: (e) => DATA.grades[ELEMENTS.grade[e]],
  ladder: (e) => word(ELEMENTS.status[e]),
  // The ladder has the best that is known, which is not all where some edits are holes.
  status: (e) => {
    const [grade, ladder] = [element.grade(e), element.ladder(e)];
    if (grade === "partly") return "a mutant is killed, others survive";
    if (grade === "hole" && ladder === "unknown") return "in no core that was found";
    if (ladder === "killed" && ["bounded", "unknown"].includes(grade)) return "a mutant is killed, others are not decided";
    return LADDER[ladder] || (grade === "hole" ? "no proof needs it" : "not measured");
  },
  waiver: (e) => word(ELEMENTS.waiver[e]),
  places: (e) => {
    const places = [];
    for (let p = ELEMENTS.first[e]; p < placesEnd(e); p++) places.push(p);
    return places;
  },
  place: (e) => (ELEMENTS.first[e] < placesEnd(e) ? ELEMENTS.first[e] : -1),
};
function placesEnd(e) {
  return e + 1 < COUNT.elements ? ELEMENTS.first[e + 1] : DATA.lengths.places;
}
// Without the folders.
function shortly(p) {
  return p < 0 ? "" : DATA.files[PLACES.file[p]].path.split("/").pop() + ":" + PLACES.line[p];
}
function where(p) {
  return p < 0 ? "" : DATA.files[PLACES.file[p]].path + ":" + PLACES.line[p];
}

// Rows: an edit of an element, a condition on states, a label. The rows of each element, in order.
const rowsOf = Array.from({ length: COUNT.elements }, () => []);
for (let r = 0; r < COUNT.rows; r++) if (ROWS.subject[r] >= 0) rowsOf[ROWS.subject[r]].push(r);

const row = {
  metric: (r) => METRICS[ROWS.metric[r]],
  edit: (r) => word(ROWS.edit[r]),
  status: (r) => DATA.grades[ROWS.standing[r]],
  element: (r) => ROWS.subject[r],
  subject: (r) => (ROWS.subject[r] >= 0 ? null : DATA.subjects[-1 - ROWS.subject[r]]),
  findings: (r) => [ROWS.first[r], r + 1 < COUNT.rows ? ROWS.first[r + 1] : DATA.lengths.findings],
  name: (r) => {
    if (ROWS.subject[r] >= 0) return element.name(ROWS.subject[r]);
    const subject = DATA.subjects[-1 - ROWS.subject[r]];
    if (subject.element !== undefined) return "element " + subject.element;
    return subject.state === undefined ? (subject.observed || "all signals") + " where " + subject.text : subject.proposition + " in " + subject.state;
  },
};

const found = {
  property: (f) => word(FOUND.property[f]),
  verdict: (f) => DATA.verdicts[FOUND.verdict[f]],
  reason: (f) => word(FOUND.reason[f]),
  bound: (f) => FOUND.bound[f],
  by: (f) => word(FOUND.by[f]),
  certified: (f) => FOUND.certified[f] === 1,
  evidence: (f) => word(FOUND.evidence[f]),
  witness: (f) => (FOUND.witness[f] < 0 ? null : DATA.witnesses[FOUND.witness[f]]),
  waiver: (f) => (FOUND.waiver[f] < 0 ? null : DATA.waivers[FOUND.waiver[f]] || null),
  count: (f) => (FOUND.count[f] < 0 ? "" : DATA.amounts[FOUND.count[f]]),
};

// What shows a row to people: a run that kills shows nothing of a hole, and the other way round.
function witnessOf(r) {
  const [from, to] = row.findings(r);
  const kills = row.status(r) === "covered";
  for (let f = from; f < to; f++) {
    if ((found.verdict(f) === "covered") === kills && found.witness(f)) return found.witness(f);
  }
  return null;
}

// How a row stands with one property alone: what nobody could notice, is dead or waived is no hole of one property either.
function statusBy(r, property) {
  const whole = row.status(r);
  if (["no-effect", "dead", "waived"].includes(whole)) return whole;
  const [from, to] = row.findings(r);
  let status = "none";
  for (let f = from; f < to; f++) {
    if (found.property(f) !== property) continue;
    const verdict = found.verdict(f);
    if (verdict === "covered") return "covered";
    status = verdict === "uncovered" ? (found.bound(f) >= 0 ? "bounded" : "hole") : verdict;
  }
  return status;
}

// How an element stands with one property alone, in the same order as with all of them (grades.rs).
function gradeBy(e, property) {
  if (element.grade(e) === "dead") return "dead";
  const has = new Set(rowsOf[e].filter((r) => !row.metric(r).cores && row.metric(r).name !== "reach").map((r) => statusBy(r, property)));
  if (has.has("covered") && has.has("hole")) return "partly";
  const first = ["hole", "bounded", "unknown", "covered", "waived", "dead", "no-effect"].find((status) => has.has(status));
  if (first || !columnOf.has(e)) return first || "none";
  // Where only cores were asked for.
  if (element.grade(e) === "waived") return "waived";
  const known = MATRIX.rows.find((one) => one.name === property && !one.together);
  return { X: "covered", o: "covered", x: "covered", ".": "hole", "?": "unknown" }[known?.marks[columnOf.get(e)]] || "none";
}

// The word for a status of a metric: what is only executed is reached, and not yet covered.
function statusText(name, metric) {
  return metric === "reach" && name === "covered" ? "reached" : STATUS[name].text;
}

// A digest of a line without blanks: what links find it by when it has moved (FNV-1a).
function textKey(text) {
  let hash = 0x811c9dc5;
  for (const c of text.replace(/\s+/g, "")) hash = Math.imul(hash ^ c.codePointAt(0), 0x01000193) >>> 0;
  return hash.toString(36);
}

// So many of a status.
function amount(count, name, metric) {
  return number(count) + " " + (name === "hole" && String(count) !== "1" ? "holes" : statusText(name, metric));
}

// Cores by element: which properties need it, and how.
const MATRIX = DATA.matrix;
const columnOf = new Map();
if (MATRIX) MATRIX.elements.forEach((e, at) => columnOf.set(e, at));
const MARK = {
  X: { name: "must", text: "MUST", long: "in every core", status: "covered" },
  o: { name: "may", text: "MAY", long: "in some minimal core, not all", status: "covered" },
  x: { name: "core", text: "core", long: "in a core that was found", status: "covered" },
  ".": { name: "unused", text: "", long: "in no minimal core", status: "none" },
  "?": { name: "unknown", text: "?", long: "not known", status: "unknown" },
  "-": { name: "no-proof", text: "–", long: "no proof, so no core", status: "none" },
};
