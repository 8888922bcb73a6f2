// Properties: what each checks, alone and uniquely; those that add nothing; a smallest set.

function propertiesPage(name, query) {
  const rankings = DATA.rankings;
  let ranking = Math.max(0, query.metric ? rankings.findIndex((one) => rankingName(one) === query.metric) : rankings.indexOf(bestRanking()));
  let order = query.sort || "design";
  const body = make("div");
  const paint = () => {
    const known = rankings[ranking];
    const parts = new Map(known ? known.properties.map((one) => [one.property, one]) : []);
    const gains = new Map(known && known.greedy ? known.greedy.map((pick, at) => [pick.property, [at, pick]]) : []);
    const redundant = new Set(known && known.redundant ? known.redundant : []);
    const alone = new Map(DATA.shares.filter((share) => share.scope[0] === "property" && known && share.metric === known.metric).map((share) => [share.scope[1], share]));
    const rows = PROPERTIES.map((property, at) => ({ property, at, part: parts.get(property.name), gain: gains.get(property.name) }));
    const size = (one, key) => (one.part ? BigInt(one.part[key]) : -1n);
    const by = {
      design: (a, b) => a.at - b.at,
      name: (a, b) => a.property.name.localeCompare(b.property.name),
      checks: (a, b) => (size(b, "covered") > size(a, "covered") ? 1 : size(b, "covered") < size(a, "covered") ? -1 : a.at - b.at),
      unique: (a, b) => (size(b, "unique") > size(a, "unique") ? 1 : size(b, "unique") < size(a, "unique") ? -1 : a.at - b.at),
      rank: (a, b) => (a.gain ? a.gain[0] : 1e9) - (b.gain ? b.gain[0] : 1e9) || a.at - b.at,
    };
    rows.sort(by[order] || by.design);
    const lines = rows.map(({ property, part, gain }) => {
      if (!known) return [propertyLink(property.name), verdictBadge(property), property.certified ? "✓" : "no", property.engine || "–", property.depth ?? "–", property.seconds.toFixed(2)];
      const line = [
        propertyLink(property.name), verdictBadge(property),
        alone.has(property.name) ? bar(alone.get(property.name), true) : "",
        part ? number(part.covered) : "–", part ? number(part.unique) : "–",
        gain && !redundant.has(property.name) ? "+" + number(gain[1].gained) : gain ? make("span.quiet", { title: "in the order of the ranking; without it, others cover the same" }, "(" + number(gain[1].gained) + ")") : part ? "0" : "–",
        redundant.has(property.name) ? make("span.badge.s-no-effect", { title: "the others cover as much without it" }, "≈ adds nothing") : "",
      ];
      return line;
    });
    lines.forEach((line, at) => { line.attributes = { "data-property": visible(rows[at].property.name, 200) }; });
    const unranked = [{ title: "property" }, { title: "verdict" }, { title: "certified" }, { title: "decided by" }, { title: "depth", class: "right" }, { title: "seconds", class: "right" }];
    clear(body);
    add(body, [
      table(!known ? unranked : [
        { title: "property" }, { title: "verdict" }, { title: known ? "checks" : "", class: "wide" },
        { title: "covers", class: "right", hint: "what it notices" }, { title: "unique", class: "right", hint: "what nobody else notices" },
        { title: "gain", class: "right", hint: "what it adds to those ranked before it" }, { title: "" },
      ], lines),
      known && known.smallest && known.smallest.properties.length ? make("p", null, known.smallest.exact ? "A smallest set with the same coverage: " : "A small set with the same coverage: ", commas(known.smallest.properties.map(propertyLink))) : null,
      known && redundant.size ? make("p", null, "Without any one of these the others cover as much: ", commas([...redundant].map(propertyLink))) : null,
    ]);
  };
  paint();
  const bar_ = make("div.toolbar", null,
    rankings.length > 1 ? select("Metric", rankings.map((one, at) => [String(at), rankingName(one)]), String(ranking), (value) => { ranking = Number(value); replaceQuery({ metric: rankingName(rankings[ranking]) }); paint(); }) : null,
    select("Order", [["design", "as in the design"], ["name", "by name"], ...(rankings.length ? [["checks", "covers most first"], ["unique", "unique first"], ["rank", "best ranked first"]] : [])], order, (value) => { order = value; replaceQuery({ sort: value }); paint(); }),
  );
  if (name) afterwards(() => openProperty(name));
  return make("div.page", null, make("h1", null, "Properties"), bar_, body);
}

// That of the metric which asks the most.
function bestRanking() {
  return DATA.rankings.find((one) => one.metric === "mutation") || DATA.rankings[DATA.rankings.length - 1] || null;
}

function rankingName(ranking) {
  return ranking.metric + (ranking.observed ? " of " + ranking.observed : "");
}

// What is written there: the property itself.
function quoted(place) {
  const at = place && fileAt.has(place.file) ? fileAt.get(place.file) : -1;
  if (at < 0 || DATA.files[at].text === null) return null;
  const lines = linesOf(at).slice(place.line - 1, Math.max(place.line, place.end_line || 0));
  if (!lines.length) return null;
  const indent = Math.min(...lines.filter((line) => line.trim()).map((line) => line.length - line.trimStart().length));
  const shown = lines.slice(0, 12).map((line) => visible(line.slice(indent === Infinity ? 0 : indent), 400));
  return make("pre.quote", null, shown.map((line) => make("div", null, line)), lines.length > 12 ? make("div.quiet", null, "… " + (lines.length - 12) + " more lines") : null);
}

function openProperty(name, closed) {
  if (!propertyAt.has(name)) return openPanel(name, [notInThisRun(name)], () => go(link("properties")));
  const property = PROPERTIES[propertyAt.get(name)];
  const shares = DATA.shares.filter((share) => share.scope[0] === "property" && share.scope[1] === name);
  const cores = MATRIX ? MATRIX.rows.find((one) => one.name === name && !one.together) : null;
  const requirements = DATA.requirements.filter((one) => one.properties.includes(name));
  const place = property.place;
  const file = place && fileAt.has(place.file) ? DATA.files[fileAt.get(place.file)] : null;
  const sourced = DATA.files.find((one) => one.text !== null);
  openPanel(name, [
    make("section.card", null, make("p", null, verdictBadge(property)), quoted(property.place), facts([
      ["Kind", property.kind],
      ["Formula", property.formula ? make("code", null, property.formula) : ""],
      ["Requirement", requirements.map((one) => make("div", null, make("b", null, one.id), " " + one.text))],
      ["Written", place ? (file && file.text !== null ? make("a", { href: lineHref(fileAt.get(place.file), place.line) }, place.file + ":" + place.line) : place.file + ":" + place.line) : ""],
      ["Decided by", property.engine],
      ["Depth", property.depth ?? ""],
      ["Why", property.reason],
      ["Certified", property.certified ? "yes, by separate code" : "no"],
      ["Evidence", property.evidence],
      ["Uses", commas((property.helpers || []).map(propertyLink))],
      ["Seconds", property.seconds.toFixed(2)],
    ])),
    shares.length ? make("section.card", null, make("h3", null, "What it checks alone"), make("div.alone", null, shares.map((share) => [make("span", null, share.metric), make("span", null, share.text), bar(share, true)]))) : null,
    sourced && COUNT.rows ? make("p", null, make("a.action", { href: link("source", "", { property: name }) }, "Source coloured by this property alone")) : null,
    cores ? coreSets(name, cores) : null,
    property.trace >= 0 ? waveform(property.trace, null, ...shownBy(property)) : null,
    property.attempt ? attemptCard(property.attempt) : null,
    property.tested >= 0 ? waveform(property.tested, null, "a run to the end of the antecedent") : null,
    property.stray >= 0 ? waveform(property.stray, null, "a run that may not go on for ever") : null,
  ], closed === null ? null : () => { if (route().page === "property") go(link("properties")); });
}

// What the run of a property is called, and the step in which it fails.
function shownBy(property) {
  if (property.verdict !== "falsified") return ["a run that shows it"];
  const trace = DATA.traces[property.trace];
  const endless = property.kind !== "invariant" || (trace.shows && (trace.shows.loop_to !== null || trace.shows.branches.length));
  return endless ? ["counterexample"] : ["counterexample: fails in step " + (trace.steps - 1), trace.steps - 1];
}

// What went wrong in a counterexample: the attempt that failed, part by part.
function attemptCard(attempt) {
  const steps = (part) => (part.from === part.to ? "in step " + part.to : "in steps " + part.from + " to " + part.to);
  const outcome = (part) => (part.endless ? "is never met, from step " + part.from + " on" : (part.matched ? "matched" : "failed") + " " + steps(part));
  const row = (part) => make("li", null, make("code", null, visible(part.text, 300)), " " + outcome(part));
  return make("section.card", null, make("h3", null, "The attempt that began in step " + attempt.start), make("ol", null, attempt.parts.map(row)));
}

// The cores that were found, each as a list of elements.
function coreSets(name, cores) {
  const known = DATA.cores.find((one) => one.property === name);
  const of = (mark) => MATRIX.elements.filter((_, at) => cores.marks[at] === mark);
  const names = (elements) => commas(elements.slice(0, 60).map(elementLink)).concat(elements.length > 60 ? [" and " + (elements.length - 60) + " more"] : []);
  return make("section.card", null, make("h3", null, "Cores"), facts([
    ["Found", plural(cores.cores, "core", "cores") + (cores.complete ? ": all minimal ones" : "") + (cores.minimal ? "" : ", not minimised: what is in it may not be needed")],
    ["MUST", names(of("X"))],
    ["MAY", names(of("o"))],
    ["In a core", names(of("x"))],
    ["Smallest", known && known.minimum ? plural(known.minimum.length, "element", "elements") : ""],
  ]), known && known.cores ? make("details", null, make("summary", null, "each core"), make("ol", null, known.cores.slice(0, 100).map((core) => make("li", null, names(core.elements.filter((id) => elementAt.has(id)).map((id) => elementAt.get(id))))))) : null);
}
