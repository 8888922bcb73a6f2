// The first page: is it enough, what is missing, and what does it rest on.

// What a metric counts, and what is to be said of so many holes.
const MEANT = {
  mutation: ["mutant", "mutants", (so, one) => so + (one ? " goes" : " go") + " unnoticed by every property"],
  reach: ["statement or branch", "statements and branches", (so) => "No run executes " + so],
  cone: ["element", "elements", (so) => "No property depends on " + so],
  state: ["state", "states", (so) => "In " + so + " no property notices another value of the signal"],
  transition: ["transition", "transitions", (so) => "After " + so + " no property notices another value of the signal"],
  simulation: ["label", "labels", (so) => so + " could be otherwise, and the specification would still simulate"],
};
const MEANT_CORES = ["element", "elements", (so) => "No proof needs " + so];

// The metric that asks the most: what the run is judged by.
function strictest() {
  const shares = DATA.shares.filter((share) => share.scope[0] === "all" && share.percent);
  return shares.find((share) => share.metric === "mutation") || shares[shares.length - 1] || null;
}

// Is it enough? In a sentence, before any number.
function judgement() {
  const share = strictest();
  // Where the assumptions leave no run, numbers mean nothing.
  if (!share || (DATA.gate && DATA.gate.assumptions === "conflicting")) return null;
  const known = METRICS.find((one) => one.name === share.metric);
  const [one, many, said] = MEANT[share.metric] || (known && known.cores ? MEANT_CORES : ["item", "items", (so) => so + " are not covered"]);
  const all = counted(share);
  const holes = share.uncovered !== "0";
  const open = ["unknown", "bounded"].filter((key) => share[key] !== "0").map((key) => number(share[key]) + " " + STATUS[key].text);
  const so = number(share.uncovered) + " of " + number(all) + " " + (all === "1" ? one : many);
  const text = holes ? said(so, share.uncovered === "1") : open.length ? "No hole was found" : all === "1" ? "The only " + one + " is covered" : "All " + number(all) + " " + many + " are covered";
  const status = holes ? "hole" : open.length ? "unknown" : "covered";
  return make("p.judgement.s-" + status, null, make("span.symbol", { "aria-hidden": "true" }, STATUS[status].symbol), make("span", null, make("b", null, text), [...open, share.waived !== "0" ? number(share.waived) + " waived" : ""].filter(Boolean).map((text) => "; " + text), ".",
    share.unclassified !== "0" ? " " + number(share.unclassified) + " of them may have no effect: not decided." : ""));
}

// What the headline is about: covered, holes and what is open.
function counted(share) {
  return ["covered", "uncovered", "bounded", "unknown"].reduce((sum, key) => sum + BigInt(share[key]), 0n).toString();
}

// What the numbers rest on and what changed since the run before, each in a line: the first screen has both.
function inShort() {
  const design = DATA.design;
  const certified = PROPERTIES.filter((property) => property.certified).length;
  const bounds = [...new Set(PROPERTIES.filter((property) => property.verdict === "bounded").map((property) => property.depth))];
  const rests = !design ? "" : [
    design.assumptions ? plural(design.assumptions, "assumption", "assumptions") : "no assumptions",
    PROPERTIES.length ? (bounds.length ? "bounds: depth " + bounds.join(", ") : "no bounds") : "",
    PROPERTIES.length ? certified + " of " + PROPERTIES.length + " verdicts certified" : "",
  ].filter(Boolean).join(", ");
  const line = (name, ...rest) => make("li.quiet", null, make("span.symbol", { "aria-hidden": "true" }, "•"), make("span", null, make("b", null, name + " "), rest));
  const diff = DATA.before && DATA.before.diff;
  const tally = {};
  for (const one of [...(diff?.properties || []), ...(diff?.shares || []).filter((share) => share.scope === "all"), ...(diff?.elements || [])]) tally[one.direction] = (tally[one.direction] || 0) + 1;
  const changed = Object.keys(DIRECTION).filter((name) => tally[name]).map((name) => make("span.nowrap", null, directionBadge(name, number(tally[name]) + " "), " "));
  const jump = make("a", { href: "#/summary", onclick: (event) => { event.preventDefault(); document.getElementById("changes")?.scrollIntoView(); } }, "what");
  return make("ul.warnings.short", null,
    rests ? line("Rests on", rests) : null,
    diff ? line(DATA.before.asked ? "Compared with " + dateText(DATA.before.date) : "Since the run of " + dateText(DATA.before.date), changed.length ? [changed, jump] : "nothing changed") : null);
}

// A few holes to begin with, one of each element: those with a run that shows what nobody notices, the shortest first.
const FIRST = 6;
function lookHere() {
  const share = strictest();
  if (!share || share.uncovered === "0") return null;
  const best = new Map();
  const steps = (r) => { const witness = witnessOf(r); return witness && witness.observed.length ? witness.depth ?? 1e6 : 1e9; };
  for (let r = 0; r < COUNT.rows; r++) {
    const e = row.element(r);
    if (row.metric(r).name !== share.metric || row.status(r) !== "hole" || (e >= 0 && element.role(e) !== "design")) continue;
    const key = e >= 0 ? e : "row " + r;
    if (!best.has(key) || steps(r) < steps(best.get(key))) best.set(key, r);
  }
  const whole = (e) => rowsOf[e].every((r) => row.metric(r).name !== share.metric || row.status(r) !== "covered");
  const order = (r) => [row.element(r) >= 0 && whole(row.element(r)) ? 0 : 1, steps(r)];
  const rows = [...best.values()].map((r) => [order(r), r]).sort(([a, r], [b, s]) => a[0] - b[0] || a[1] - b[1] || r - s).map(([, r]) => r);
  if (!rows.length) return null;
  // A limit never hides a single one.
  const shown = rows.length > FIRST + 1 ? rows.slice(0, FIRST) : rows;
  const line = (r) => {
    const e = row.element(r);
    const witness = witnessOf(r);
    if (e < 0) {
      const count = found.count(row.findings(r)[0]);
      return [make("a", { href: link("findings", "", { metric: share.metric, status: "hole", q: row.name(r).slice(0, 60) }) }, visible(row.name(r), 160)), count ? number(count) + " " + (MEANT[share.metric] ? MEANT[share.metric][count === "1" ? 0 : 1] : "") : ""];
    }
    const edits = rowsOf[e].filter((one) => row.metric(one).name === share.metric && row.status(one) === "hole");
    const said = textAt(element.place(e));
    return [
      [make("a", { href: link("element", element.key(e)) }, said ? make("code", null, visible(said, 100)) : visible(element.name(e), 100)), make("div.quiet.small", null, said ? visible(element.name(e), 60) + ", " : "", element.place(e) >= 0 ? shortly(element.place(e)) : element.kind(e))],
      row.metric(r).cores ? "" : edits.map((one) => make("span.mini.s-hole", { title: row.edit(one) + ": hole" }, STATUS.hole.symbol + " " + row.edit(one))),
      differing(witness, 3),
    ];
  };
  const columns = row.element(shown[0]) < 0 ? [{ title: "where" }, { title: "" }] : [{ title: "element", class: "wide" }, { title: row.metric(shown[0]).cores ? "" : "unnoticed" }, { title: rows.some((r) => steps(r) < 1e9) ? "what nobody would notice" : "" }];
  return make("section.first", null, make("h2", null, "Look here first"), table(columns, shown.map(line)),
    make("p", null, make("a", { href: link("findings", "", { metric: share.metric, status: "hole" }) }, (share.uncovered === "1" ? "The hole of " : "All " + amount(share.uncovered, "hole") + " of ") + share.metric), row.element(shown[0]) >= 0 && hasText ? make("span.quiet", null, " (", make("kbd", null, "n"), " on the source goes from one to the next)") : null));
}

// Cores, where nothing else was asked for.
function coresSection() {
  if (!MATRIX || DATA.shares.some((share) => share.scope[0] === "all")) return null;
  const count = (one, marks) => number([...one.marks].filter((mark) => marks.includes(mark)).length);
  const lines = MATRIX.rows.map((one) => [one.together ? make("em", null, "all together") : propertyLink(one.name), number(one.cores) + (one.complete ? " (all)" : ""), count(one, "X"), count(one, "ox"), count(one, "."), count(one, "?-")]);
  return make("section", null, make("h2", null, "Cores"), table([{ title: "property" }, { title: "cores found", class: "right" }, { title: "in every core", class: "right", hint: "MUST" }, { title: "in some", class: "right", hint: "MAY, or in a core that was found" }, { title: "needed by none", class: "right" }, { title: "not known", class: "right" }], lines),
    make("p", null, make("a", { href: link("matrix") }, "Which elements")));
}

// The date as people write it.
function dateText(date) {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(date || "") ? date.slice(0, 10) + " " + date.slice(11, 16) + " UTC" : date || "";
}

// The headline as a bar: covered, then what is open, then holes, then what is waived.
function bar(share, small) {
  const parts = share.parts.filter(([, , width]) => width > 0);
  const called = (name) => (name === "unclassified" ? "hole or no effect" : STATUS[name].text);
  const text = share.parts.filter(([, count]) => count !== "0").map(([name, count]) => called(name) + " " + number(count)).join(", ");
  const node = make("div.bar" + (small ? ".bar-small" : ""), { role: "img", "aria-label": share.text + ": " + text, title: text });
  for (const [name, , width] of parts) {
    const part = make("span.b-" + name);
    part.style.width = width + "%";
    node.appendChild(part);
  }
  return node;
}

function headline(share) {
  if (!share.percent) return make("span.quiet", null, "nothing counts");
  const [low, high] = share.percent;
  const shown = (value) => value.toFixed(2).replace(/\.00$/, "");
  if (low === high) return [make("span.figure", null, shown(low)), make("span.unit", null, "%")];
  return [make("span.figure", null, shown(low)), make("span.unit", null, "to"), make("span.figure", null, shown(high)), make("span.unit", null, "%")];
}

const COUNTED = [["covered", "covered"], ["hole", "uncovered"], ["bounded", "bounded"], ["unknown", "unknown"], ["no-effect", "no_effect"], ["dead", "dead"], ["waived", "waived"]];

function metricCard(share) {
  const metric = METRICS.find((one) => one.name === share.metric) || { name: share.metric, summary: "" };
  const counts = COUNTED.filter(([name, key]) => share[key] !== "0" || name === "covered" || name === "hole").map(([name, key]) =>
    // No holes are no reason for red.
    make("a.count.s-" + (name === "hole" && share[key] === "0" ? "none" : name), { href: link("findings", "", { metric: share.metric, status: name }), title: STATUS[name].long }, make("span.symbol", { "aria-hidden": "true" }, STATUS[name].symbol), make("b", null, amount(share[key], name, share.metric))));
  const signals = DATA.shares.filter((one) => one.metric === share.metric && one.scope[0] === "observed");
  const open = share.unclassified !== "0" ? make("p.quiet", null, number(share.unclassified) + " of the holes may have no effect: not decided") : null;
  return make("section.metric", null,
    make("h3", null, metric.title || share.metric, signals.length > 1 ? make("span.quiet", null, " by at least one signal") : null),
    make("p.headline", null, make("span.nowrap", null, headline(share)), share.with_waived ? make("span.quiet.with-waived", { title: "as if what is waived were holes" }, " (" + percentText(share.with_waived) + " with waived)") : null, " ", change(share)),
    bar(share),
    signals.length > 1 ? signalsLine(signals) : null,
    make("p.counts", null, counts),
    open,
    make("p.quiet.about", null, metric.summary, share.certified ? "" : " Not certified."),
  );
}

// One signal may be covered where another is not: what each comes to, and the worst.
function signalsLine(signals) {
  const known = signals.filter((one) => one.percent);
  if (!known.length) return null;
  const low = known.reduce((a, b) => (b.percent[0] < a.percent[0] ? b : a));
  const high = Math.max(...known.map((one) => one.percent[1]));
  const shown = (value) => value.toFixed(2).replace(/\.00$/, "");
  return make("p.signals", null, plural(known.length, "signal", "signals") + ": " + shown(low.percent[0]) + " to " + shown(high) + " %, worst ", make("b", null, low.scope[1]));
}

// The headline beside the one of the run before.
function change(share) {
  const old = (DATA.before ? DATA.before.shares : []).find((one) => one.metric === share.metric);
  if (!old || !old.percent || !share.percent || old.text === share.text) return null;
  // What is waived is no progress: compared is what there would be without, and only where the comparison says so.
  const [now, was] = [share, old].map((one) => (one.with_waived || one.percent)[0]);
  const fair = DATA.before.diff.shares?.find((one) => one.metric === share.metric && one.scope === "all")?.direction !== "other";
  const better = fair && now > was;
  const worse = fair && now < was;
  return make("span.change" + (better ? ".better" : worse ? ".worse" : ""), { title: "the run before: " + old.text }, (better ? "▲" : worse ? "▼" : "•") + " was " + old.text);
}

// What has to be known before any number is believed: each with how bad it is.
function warnings() {
  const said = [];
  const gate = DATA.gate;
  const say = (status, ...text) => said.push(make("li.s-" + status, null, make("span.symbol", { "aria-hidden": "true" }, STATUS[status].symbol), make("span", null, text)));
  DATA.run.internal_errors.forEach((error) => say("hole", "Internal error: " + error));
  if (gate && gate.assumptions === "conflicting") say("hole", "The assumptions conflict: proofs mean nothing. " + (gate.conflict || []).map((one) => one.name).join(", "));
  if (gate && gate.assumptions === "unknown") say("unknown", "Whether the assumptions leave any run is not known" + (gate.reason ? ": " + gate.reason : "") + ".");
  if (gate && gate.obligations === 0) say("unknown", "There is no property to prove.");
  if (gate && gate.vacuous && gate.vacuous.length) say("bounded", "Vacuous: ", commas(gate.vacuous.map(propertyLink)), ". Their proofs say nothing about the design." + byThemAlone(gate.vacuous));
  if (gate && gate.fairness && gate.fairness.start === false) say("hole", "No initial state is fair: every CTL property holds, and says nothing.");
  const with_ = (verdict) => PROPERTIES.filter((property) => property.verdict === verdict);
  if (with_("unreachable").length) say("hole", plural(with_("unreachable").length, "cover is unreachable: ", "covers are unreachable: "), commas(with_("unreachable").slice(0, 8).map((property) => propertyLink(property.name))));
  if (with_("falsified").length) say("hole", plural(with_("falsified").length, "property fails: ", "properties fail: "), commas(with_("falsified").slice(0, 8).map((property) => propertyLink(property.name))));
  if (with_("bounded").length) say("bounded", plural(with_("bounded").length, "property is", "properties are") + " only known up to a bound.");
  if (with_("unknown").length) say("unknown", plural(with_("unknown").length, "property is", "properties are") + " not decided.");
  const open = PROPERTIES.filter((property) => (property.verdict === "proved" || property.verdict === "falsified") && !property.certified);
  if (open.length) say("unknown", plural(open.length, "verdict is", "verdicts are") + " not certified.");
  const shares = DATA.shares.filter((share) => share.scope[0] === "all" && !share.certified && share.total !== "0");
  if (shares.length) say("unknown", "Not certified: counts of " + shares.map((share) => share.metric).join(", ") + ".");
  for (const one of DATA.run.thresholds || []) say({ reached: "covered", missed: "hole", undecided: "unknown" }[one.verdict], thresholdText(one));
  const past = DATA.waivers.filter((waiver) => ["expired", "stale", "unused"].includes(waiver.state));
  if (past.length) say("bounded", plural(past.length, "waiver waives", "waivers waive") + " nothing: see Waivers below.");
  if (DATA.run.stop) say("unknown", "The run ended early: " + ({ accuracy: "as much was decided as was asked for", budget: "its budget is used up", timeout: "time is up", memory: "memory is used up", interrupted: "interrupted", effort: "its effort is used up", techniques: "the chosen techniques cannot decide more" }[DATA.run.stop] || DATA.run.stop) + ".");
  const measured = PROPERTIES.length || DATA.shares.length;
  if (!said.length && measured) say("covered", (gate ? "The sanity check passed, and everything" : "Everything") + " that is decided was confirmed by separate code.");
  return said.length ? make("ul.warnings", null, said) : null;
}

// How much is covered by properties that say nothing, and by no other.
function byThemAlone(names) {
  const only = METRICS.filter((metric) => metric.name !== "reach").map((metric, _) => {
    let count = 0;
    for (let r = 0; r < COUNT.rows; r++) {
      if (row.metric(r) !== metric || row.status(r) !== "covered" || row.element(r) < 0 || element.role(row.element(r)) !== "design") continue;
      const [from, to] = row.findings(r);
      const by = new Set();
      for (let f = from; f < to; f++) if (found.verdict(f) === "covered") by.add(found.property(f));
      if (by.size && [...by].every((name) => names.includes(name))) count++;
    }
    return count ? number(count) + " of " + metric.name : "";
  }).filter((text) => text);
  return only.length ? " Covered by them alone: " + only.join(", ") + "." : " Nothing is covered by them alone.";
}

function restsOn() {
  const design = DATA.design;
  const gate = DATA.gate;
  const consistent = gate && gate.assumptions === "consistent" ? " (consistent)" : "";
  const bounds = [...new Set(PROPERTIES.filter((property) => property.verdict === "bounded").map((property) => property.depth))];
  const certified = PROPERTIES.filter((property) => property.certified).length;
  return facts([
    ["Design", design ? [design.format, ", " + plural(design.inputs, "input", "inputs") + ", " + plural(design.states, "state", "states") + ", " + plural(design.elements, "element", "elements")] : ""],
    ["Assumptions", design ? (design.assumptions ? plural(design.assumptions, "assumption", "assumptions") + consistent : "none") : ""],
    ["Bounds", !PROPERTIES.length ? "" : bounds.length ? "proofs up to depth " + bounds.join(", ") : "none: proofs are about all steps"],
    ["Certified", PROPERTIES.length ? certified + " of " + PROPERTIES.length + " verdicts" : ""],
    ["Evidence", DATA.run.directory || "not kept"],
  ]);
}

function scopeTable(kind, title) {
  const shares = DATA.shares.filter((share) => share.scope[0] === kind);
  const metrics = [...new Set(shares.map((share) => share.metric))];
  if (!metrics.length || new Set(shares.map((share) => share.scope[1])).size < 2) return null;
  let metric = metrics[metrics.length - 1];
  let most = 30;
  const body = make("div");
  const paint = () => {
    const rows = shares.filter((share) => share.metric === metric).sort((a, b) => Number(b.uncovered) - Number(a.uncovered));
    // A limit never hides a single one.
    const shown = rows.length > most + 1 ? rows.slice(0, most) : rows;
    clear(body).appendChild(table(
      [{ title }, { title: "coverage", class: "right" }, { title: "", class: "wide" }, { title: "holes", class: "right" }, { title: "total", class: "right" }],
      shown.map((share) => [scopeLink(kind, share.scope[1]), share.text, bar(share, true), number(share.uncovered), number(share.total)]),
    ));
    if (shown.length < rows.length) body.appendChild(button("Show all " + number(rows.length), "Show every " + title, null, () => { most = Infinity; paint(); }));
  };
  paint();
  return make("section", null, make("h2", null, "By " + title), metrics.length > 1 ? select("Metric", metrics.map((name) => [name, name]), metric, (value) => { metric = value; paint(); }) : null, body);
}

function scopeLink(kind, name) {
  if (kind === "file" && fileAt.has(name) && DATA.files[fileAt.get(name)].text !== null) return make("a", { href: link("source", name) }, name);
  return make("a", { href: link("findings", "", { [kind]: name || TOP }) }, name || "top");
}

// Whether a threshold is reached, and by how much it is not.
function thresholdText(one) {
  const scope = typeof one.scope === "object" ? Object.entries(one.scope)[0] : null;
  const what = (one.metric || "coverage") + (scope ? " in " + scope[0] + " " + (scope[1] || "top") : "");
  const short = (one.short || []).map((part) => part.metric + (typeof part.scope === "object" ? " of " + (Object.values(part.scope)[0] || "top") : "") + " " + part.text);
  const verdict = { reached: "reached", missed: "missed", undecided: "not decided" }[one.verdict];
  return "Threshold " + what + " = " + one.percent + " %: " + verdict + (short.length ? " (" + short.join(", ") + ")" : "") + ".";
}

// What got worse first: a word and a sign for each direction.
const DIRECTION = { worse: ["hole", "▼"], lost: ["unknown", "?"], decided: ["covered", "•"], better: ["covered", "▲"], added: ["none", "+"], removed: ["none", "−"], other: ["none", "•"] };

function directionBadge(direction, count = "") {
  const [status, sign] = DIRECTION[direction] || DIRECTION.other;
  return make("span.badge.s-" + status, null, make("span.symbol", { "aria-hidden": "true" }, sign), count + direction);
}

function scopeText(scope) {
  if (typeof scope === "string") return scope === "all" ? "" : ", " + scope;
  const [kind, name] = Object.entries(scope)[0];
  const words = { property: "by ", edit: "", "property-edit": "", file: "", instance: "instance ", observed: "of ", proposition: "of " }[kind] ?? kind + " ";
  return ", " + words + (Array.isArray(name) ? name[1] + ", by " + name[0] : name || "(top)");
}

function percentText(percent) {
  if (!percent) return "–";
  return percent[0] === percent[1] ? percent[0].toFixed(2) + " %" : percent[0].toFixed(2) + " to " + percent[1].toFixed(2) + " %";
}

// An element that was compared: its name now, and before if that was another.
function pairLink(pair) {
  const { old, new: now } = pair.name;
  const name = now && elementNamed.has(now) ? elementLink(elementNamed.get(now)) : now || old;
  return now && old && now !== old ? [name, make("span.quiet", null, " was " + old)] : name;
}

function changeTable(title, columns, lines) {
  if (!lines.length) return null;
  const heads = ["", ...columns].map((title) => ({ title }));
  const [first, rest] = [lines.slice(0, 9), lines.slice(9)];
  return make("div", null, make("h3", null, title + " (" + number(lines.length) + ")"), table(heads, first), rest.length ? make("details", null, make("summary", null, number(rest.length) + " more"), table(heads, rest)) : null);
}

function changes() {
  const before = DATA.before;
  if (!before) return null;
  const diff = before.diff;
  const ladder = (status) => (status ? LADDER[status] || status : "–");
  const standing = (word) => (word ? (STATUS[word === "uncovered" ? "hole" : word] || { text: word }).text : "–");
  const shares = (diff.shares || []).map((one) => [directionBadge(one.direction), one.metric + scopeText(one.scope), percentText(one.percent.old), percentText(one.percent.new)]);
  const verdicts = (diff.properties || []).map((one) => [directionBadge(one.direction), propertyAt.has(one.name) ? propertyLink(one.name) : one.name, one.verdict.old || "–", one.verdict.new || "–"]);
  const elements = (diff.elements || []).map((one) => [directionBadge(one.direction), pairLink(one.element), ladder(one.status.old), ladder(one.status.new)]);
  const edits = (diff.findings || []).map((one) => [directionBadge(one.direction), [one.metric + ": " + one.edit + " of ", one.element ? pairLink(one.element) : one.condition], standing(one.standing.old), standing(one.standing.new)]);
  const parts = [
    changeTable("Coverage", ["what", "before", "now"], shares),
    changeTable("Properties", ["property", "before", "now"], verdicts),
    changeTable("Elements", ["element", "before", "now"], elements),
    changeTable("Edits and conditions", ["what", "before", "now"], edits),
  ].filter((part) => part);
  return make("section.changes", { id: "changes" }, make("h2", null, before.asked ? "Compared with an earlier run" : "Since the run before"),
    (diff.warnings || []).map((text) => make("p.warning", null, text)),
    make("p.quiet", null, "Compared with the run of " + (dateText(before.date) || "unknown date") + ": " + plural(diff.paired, "element", "elements") + " on both sides" + (diff.moved ? ", " + number(diff.moved) + " moved" : "") + "."),
    parts.length ? parts : make("p", null, "Verdicts, coverage and the status of every element are the same."),
    before.left_out ? make("p.quiet", null, number(before.left_out) + " changes are not listed here; propcov report --diff lists all.") : null,
  );
}

// What the user said does not count, and what became of that.
function waiversSection() {
  if (!DATA.waivers.length) return null;
  const status = { used: "waived", unused: "bounded", stale: "hole", expired: "hole", idle: "none" };
  const what = (waiver) => [
    (waiver.elements || []).join(", "), waiver.source ? "`" + waiver.source + "`" : "", waiver.nth ? "number " + waiver.nth : "", (waiver.files || []).join(", "), waiver.condition ? "where " + waiver.condition : "",
    (waiver.propositions || []).length ? "label " + waiver.propositions.join(", ") : "", (waiver.states || []).length ? "in state " + waiver.states.join(", ") : "",
    (waiver.edits || []).length ? "edit " + waiver.edits.join(", ") : "", (waiver.metrics || []).length ? "metric " + waiver.metrics.join(", ") : "",
  ].filter((part) => part).join(", ");
  const lines = DATA.waivers.map((waiver) => [
    make("span.badge.s-" + status[waiver.state], null, make("span.symbol", { "aria-hidden": "true" }, waiver.state === "used" ? "⊘" : "!"), waiver.state),
    number(waiver.count), make("code", null, what(waiver)), waiver.reason, waiver.author || "–", waiver.expires || "–", waiver.place ? waiver.place.file + ":" + waiver.place.line : "–",
  ]);
  return make("section.waivers", null, make("h2", null, "Waivers"), table([{ title: "state" }, { title: "waives", class: "right" }, { title: "what" }, { title: "reason", class: "wide" }, { title: "author" }, { title: "expires" }, { title: "where" }], lines));
}

function propertyTable(most) {
  // What each checks, by the metric that asks the most and says it of single properties.
  const ranking = bestRanking();
  const parts = new Map(ranking ? ranking.properties.map((one) => [one.property, one]) : []);
  const alone = new Map(DATA.shares.filter((share) => share.scope[0] === "property" && ranking && share.metric === ranking.metric).map((share) => [share.scope[1], share]));
  const rows = PROPERTIES.slice(0, most).map((property) => {
    const [part, share] = [parts.get(property.name), alone.get(property.name)];
    const line = [propertyLink(property.name), verdictBadge(property), property.certified ? "✓" : "no", property.engine || "–"];
    if (!ranking) return [...line, property.depth ?? "–", property.seconds.toFixed(2)];
    return [...line, share ? bar(share, true) : "", share ? share.text : part && part.covered !== undefined ? number(part.covered) : "–", part ? number(part.unique) : "–"];
  });
  const columns = [{ title: "property" }, { title: "verdict" }, { title: "certified" }, { title: "decided by" }];
  const more = ranking ? [{ title: "checks, of " + rankingName(ranking), class: "wide" }, { title: "", class: "right" }, { title: "unique", class: "right", hint: "what nobody else notices" }] : [{ title: "depth", class: "right" }, { title: "seconds", class: "right" }];
  return table([...columns, ...more], rows);
}

function summaryPage() {
  const shares = DATA.shares.filter((share) => share.scope[0] === "all");
  const apart = DATA.shares.filter((share) => share.scope[0] === "checker");
  return make("div.page", null,
    make("h1", null, DATA.title),
    make("p.quiet.lead", null, "propcov " + DATA.run.command + (DATA.run.date ? ", " + dateText(DATA.run.date) : "") + ", " + DATA.run.seconds + " s"),
    judgement(),
    warnings(),
    inShort(),
    shares.length ? make("div.metrics" + (DATA.gate && DATA.gate.assumptions === "conflicting" ? ".void" : ""), null, shares.map(metricCard)) : null,
    lookHere(),
    coresSection(),
    DATA.verification ? verificationSection() : null,
    make("div.columns", null,
      make("section", null, make("h2", null, "What it rests on"), restsOn()),
      changes(),
    ),
    waiversSection(),
    PROPERTIES.length ? make("section", null, make("h2", null, "Properties"), propertyTable(12), PROPERTIES.length > 12 ? make("p", null, make("a", { href: link("properties") }, "All " + number(PROPERTIES.length) + " properties")) : null) : null,
    scopeTable("file", "file"),
    scopeTable("instance", "instance"),
    scopeTable("observed", "signal"),
    scopeTable("proposition", "proposition"),
    apart.length ? make("p.quiet", null, "Checker logic is not counted: ", apart.map((share) => share.metric + " " + share.text).join(", ")) : null,
    DATA.requirements.length ? requirementsSection() : null,
    DATA.notes.length ? make("section", null, make("h2", null, "Notes"), make("ul", null, DATA.notes.map((note) => make("li", null, make("b", null, note.kind + ": "), note.place ? note.place.file + ":" + note.place.line + ": " : "", note.text)))) : null,
    runSection(),
  );
}

function requirementsSection() {
  const lines = DATA.requirements.map((one) => [one.id, one.text, one.properties.length ? commas(one.properties.map(propertyLink)) : make("span.quiet", { title: "no property stands right below its comment" }, "not attached"), commas(one.properties.map((name) => propertyAt.has(name) ? verdictBadge(PROPERTIES[propertyAt.get(name)]) : "unknown"))]);
  return make("section", null, make("h2", null, "Requirements"), table([{ title: "identifier" }, { title: "requirement", class: "wide" }, { title: "properties" }, { title: "verdict" }], lines));
}

function verificationSection() {
  const checked = DATA.verification;
  const lines = Object.entries(checked.holding).map(([kind, count]) => [kind, number(count)]);
  const bad = [...(checked.failing || []), ...(checked.unchecked || [])].map((one) => [one.claim, one.file, one.reason || "does not hold"]);
  return make("section", null, make("h2", null, "Evidence checked again"), table([{ title: "claims that hold" }, { title: "", class: "right" }], lines), bad.length ? table([{ title: "claim" }, { title: "file" }, { title: "why" }], bad) : null);
}

function runSection() {
  return make("section", null, make("h2", null, "Run"), facts([
    ["Command", make("code", null, ["propcov", ...DATA.run.arguments].join(" "))],
    ["Options from", DATA.run.configuration ? [DATA.run.configuration.path + " ", make("code", null, (DATA.run.configuration.arguments || []).join(" "))] : ""],
    ["Version", DATA.run.version],
    ["Seed", String(DATA.run.seed)],
    ["Files", make("ul.plain", null, DATA.files.map((file) => make("li", null, file.path + " ", make("code.hash", null, "sha256 " + file.sha256))))],
    ["Seconds", Object.entries(DATA.stats.seconds || {}).map(([name, value]) => name + " " + value).join(", ")],
    ["Decided by", Object.entries(DATA.stats.decided_by || {}).map(([name, value]) => name + " " + number(value)).join(", ")],
  ]));
}
