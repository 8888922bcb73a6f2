// The first page: is it enough, what is missing, and what does it rest on.

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
    make("p.quiet", null, metric.summary, share.certified ? "" : " Not certified."),
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
    ["Bounds", bounds.length ? "proofs up to depth " + bounds.join(", ") : "none: proofs are about all steps"],
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

function directionBadge(direction) {
  const [status, sign] = DIRECTION[direction] || DIRECTION.other;
  return make("span.badge.s-" + status, null, make("span.symbol", { "aria-hidden": "true" }, sign), direction);
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
    make("p.quiet", null, "Compared with the run of " + (before.date || "unknown date") + ": " + plural(diff.paired, "element", "elements") + " on both sides" + (diff.moved ? ", " + number(diff.moved) + " moved" : "") + "."),
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
  const rows = PROPERTIES.slice(0, most).map((property) => [
    propertyLink(property.name), verdictBadge(property), property.engine || "–", property.depth ?? "–",
    property.certified ? "✓" : "no", property.seconds.toFixed(2),
  ]);
  const columns = [{ title: "property" }, { title: "verdict" }, { title: "engine" }, { title: "depth", class: "right" }, { title: "certified" }, { title: "seconds", class: "right" }];
  return table(columns, rows);
}

function summaryPage() {
  const shares = DATA.shares.filter((share) => share.scope[0] === "all");
  const apart = DATA.shares.filter((share) => share.scope[0] === "checker");
  return make("div.page", null,
    make("h1", null, DATA.title),
    make("p.quiet.lead", null, "propcov " + DATA.run.command + (DATA.run.date ? ", " + DATA.run.date : "") + ", " + DATA.run.seconds + " s"),
    warnings(),
    shares.length ? make("div.metrics" + (DATA.gate && DATA.gate.assumptions === "conflicting" ? ".void" : ""), null, shares.map(metricCard)) : null,
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
