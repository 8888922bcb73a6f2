// The first page: is it enough, what is missing, and what does it rest on.

// The headline as a bar: covered, then what is open, then holes. Widths are shares of what counts.
function bar(share, small) {
  const parts = share.parts.filter(([, , width]) => width > 0);
  const text = share.parts.filter(([, count]) => count !== "0").map(([name, count]) => STATUS[name].text + " " + number(count)).join(", ");
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
    make("a.count.s-" + name, { href: link("findings", "", { metric: share.metric, status: name }), title: STATUS[name].long }, make("span.symbol", { "aria-hidden": "true" }, STATUS[name].symbol), make("b", null, amount(share[key], name))));
  const open = share.unclassified !== "0" ? make("p.quiet", null, number(share.unclassified) + " of the holes may have no effect: not decided") : null;
  return make("section.metric", null,
    make("h3", null, metric.title || share.metric),
    make("p.headline", null, headline(share), change(share)),
    bar(share),
    make("p.counts", null, counts),
    open,
    make("p.quiet", null, metric.summary, share.certified ? "" : " Not certified."),
  );
}

// The headline beside the one of the run before.
function change(share) {
  const old = (DATA.before ? DATA.before.shares : []).find((one) => one.metric === share.metric);
  if (!old || !old.percent || !share.percent || old.text === share.text) return null;
  const better = share.percent[0] > old.percent[0];
  const worse = share.percent[0] < old.percent[0];
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
  if (gate && gate.vacuous && gate.vacuous.length) say("bounded", "Vacuous: ", commas(gate.vacuous.map(propertyLink)), ". Their proofs say nothing about the design.");
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
  if (DATA.run.threshold) say(DATA.run.threshold.missed ? "hole" : "covered", (DATA.run.threshold.missed ? "Below" : "At least") + " the threshold of " + DATA.run.threshold.percent + " %.");
  if (DATA.run.stop) say("unknown", "The run ended early: " + ({ accuracy: "as much was decided as was asked for", budget: "its budget is used up", timeout: "time is up", memory: "memory is used up", interrupted: "interrupted", effort: "its effort is used up", techniques: "the chosen techniques cannot decide more" }[DATA.run.stop] || DATA.run.stop) + ".");
  const measured = PROPERTIES.length || DATA.shares.length;
  if (!said.length && measured) say("covered", (gate ? "The sanity check passed, and everything" : "Everything") + " that is decided was confirmed by separate code.");
  return said.length ? make("ul.warnings", null, said) : null;
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

function changes() {
  const before = DATA.before;
  if (!before) return null;
  const now = new Map(PROPERTIES.map((property) => [property.name, property.verdict]));
  const old = new Map(before.properties);
  const lines = [];
  for (const [name, verdict] of now) {
    if (!old.has(name)) lines.push([propertyLink(name), "new", verdict]);
    else if (old.get(name) !== verdict) lines.push([propertyLink(name), old.get(name), verdict]);
  }
  for (const [name, verdict] of old) if (!now.has(name)) lines.push([name, verdict, "gone"]);
  const moved = before.elements.map(([name, was, is]) => [elementNamed.has(name) ? elementLink(elementNamed.get(name)) : name, LADDER[was] || was || "not measured", LADDER[is] || is || "gone"]);
  return make("section", null, make("h2", null, "Since the run before"),
    make("p.quiet", null, "Compared with the run of " + (before.date || "unknown date") + "."),
    lines.length ? table([{ title: "property" }, { title: "before" }, { title: "now" }], lines) : make("p", null, "Verdicts are the same."),
    moved.length ? [table([{ title: "element" }, { title: "before" }, { title: "now" }], moved.slice(0, 8)), moved.length > 8 ? make("details", null, make("summary", null, number(moved.length - 8) + " more"), table([{ title: "element" }, { title: "before" }, { title: "now" }], moved.slice(8))) : null] : make("p", null, "The status of every element is the same."),
  );
}

function propertyTable(most) {
  const rows = PROPERTIES.slice(0, most).map((property) => [
    propertyLink(property.name), verdictBadge(property), property.engine || "–", property.depth === undefined ? "–" : property.depth,
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
    shares.length ? make("div.metrics", null, shares.map(metricCard)) : null,
    DATA.verification ? verificationSection() : null,
    make("div.columns", null,
      make("section", null, make("h2", null, "What it rests on"), restsOn()),
      changes(),
    ),
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
  const lines = DATA.requirements.map((one) => [one.id, one.text, commas(one.properties.map(propertyLink)), commas(one.properties.map((name) => propertyAt.has(name) ? verdictBadge(PROPERTIES[propertyAt.get(name)]) : "unknown"))]);
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
    ["Version", DATA.run.version],
    ["Seed", String(DATA.run.seed)],
    ["Files", make("ul.plain", null, DATA.files.map((file) => make("li", null, file.path + " ", make("code.hash", null, "sha256 " + file.sha256))))],
    ["Seconds", Object.entries(DATA.stats.seconds || {}).map(([name, value]) => name + " " + value).join(", ")],
    ["Decided by", Object.entries(DATA.stats.decided_by || {}).map(([name, value]) => name + " " + number(value)).join(", ")],
  ]));
}
