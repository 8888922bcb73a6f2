// What is known about one element, one row or one property, for the panel beside the page.

const panel = { node: null, close: null };

function openPanel(title, content, closed) {
  panel.close = closed || null;
  clear(panel.node);
  add(panel.node, [
    make("header.panel-head", null, make("h2", null, title), button("×", "Close (Esc)", null, closePanel)),
    make("div.panel-body", null, content),
  ]);
  panel.node.hidden = false;
  panel.node.scrollTop = 0;
  document.body.classList.add("with-panel");
}

function closePanel() {
  if (panel.node.hidden) return;
  panel.node.hidden = true;
  document.body.classList.remove("with-panel");
  clear(panel.node);
  if (panel.close) panel.close();
  panel.close = null;
}

function facts(entries) {
  const list = make("dl.facts");
  for (const [name, value] of entries) {
    if (value === null || value === undefined || value === "" || (Array.isArray(value) && !value.length)) continue;
    add(list, [make("dt", null, name), make("dd", null, value)]);
  }
  return list;
}

function commas(nodes) {
  return nodes.flatMap((node, at) => (at ? [", ", node] : [node]));
}

function propertyLink(name) {
  return propertyAt.has(name) ? make("a", { href: propertyHref(name) }, name) : make("span", null, name);
}

function propertyHref(name) {
  return link("property", DATA.property_keys[propertyAt.get(name)] ?? name);
}

function elementLink(e) {
  return make("a", { href: link("element", element.key(e)) }, element.name(e));
}

// A line, by its number and by its text.
function lineHref(file, line, more) {
  return link("source", DATA.files[file].path, { line, text: textKey(linesOf(file)[line - 1] || ""), ...more });
}

// What a link led to in another run.
function notInThisRun(what, others) {
  return make("p.warning", { role: "status" }, make("b", null, visible(what, 200)), " is not in this run: it was edited or removed", others && others.length ? ["; of the same name: ", commas(others)] : "", ".");
}

// Elements that are called like one that is not there.
function alike(key) {
  const stem = (text) => text.replace(/@.*$/, "");
  const hits = [];
  for (let e = 0; e < COUNT.elements && hits.length < 8; e++) if (stem(element.key(e)) === stem(key)) hits.push(elementLink(e));
  return hits;
}

function placeLink(p, e) {
  if (p < 0) return null;
  const file = DATA.files[PLACES.file[p]];
  const text = where(p);
  if (file.text === null) return make("span", null, text);
  return make("a", { href: lineHref(PLACES.file[p], PLACES.line[p], { element: e === undefined ? null : element.key(e) }) }, text);
}

// Everything about an element.
function elementCard(e, options) {
  const alone = (options && options.property) || "";
  const places = element.places(e);
  const needs = { X: [], o: [], x: [] };
  if (MATRIX && columnOf.has(e)) {
    for (const one of MATRIX.rows) {
      const mark = one.marks[columnOf.get(e)];
      if (needs[mark] && !one.together) needs[mark].push(propertyLink(one.name));
    }
  }
  const killers = new Set();
  for (const r of rowsOf[e]) {
    if (row.metric(r).cores) continue;
    const [from, to] = row.findings(r);
    for (let f = from; f < to; f++) if (found.verdict(f) === "covered" && found.property(f)) killers.add(found.property(f));
  }
  const rows = rowsOf[e].filter((r) => !row.metric(r).cores);
  const cored = rowsOf[e].filter((r) => row.metric(r).cores);
  const role = element.role(e);
  // The worst comes first, of those one with a run, and is open.
  rows.sort((a, b) => STATUS[row.status(a)].rank - STATUS[row.status(b)].rank || (witnessOf(a) ? 0 : 1) - (witnessOf(b) ? 0 : 1) || a - b);
  return make("section.card", { "data-element": visible(element.name(e), 200) },
    make("h3", null, badge(element.grade(e), ""), element.name(e)),
    facts([
      ["Status", element.status(e)],
      ["Kind", element.kind(e) + (role === "design" ? "" : " (" + role + ", not counted)")],
      ["Instance", element.scope(e) ? make("a", { href: link("findings", "", { instance: element.scope(e) }) }, element.scope(e)) : ""],
      ["Part of", word(ELEMENTS.parent[e])],
      ["Written", commas(places.slice(0, 8).map((p) => placeLink(p, e))).concat(places.length > 8 ? [" and " + (places.length - 8) + " more places"] : [])],
      ["Waived", element.waiver(e)],
      ["Noticed by", commas([...killers].map(propertyLink))],
      ["In every core of", commas(needs.X)],
      ["In some core of", commas(needs.o)],
      ["In a core found of", commas(needs.x)],
    ]),
    cored.length ? make("p.chips", null, cored.map((r) => badge(row.status(r), row.metric(r).name, row.metric(r).name + ": " + STATUS[row.status(r)].long))) : null,
    rows.map((r) => rowCard(r, alone, r === rows[0])),
  );
}

// One edit of an element, a condition on states, or a label.
function rowCard(r, alone, open = true) {
  const said = row.metric(r).name === "reach" ? "" : differing(witnessOf(r), 4);
  const inside = make("div");
  const fill = () => { if (!inside.firstChild) inside.appendChild(rowDetails(r, alone)); };
  if (open) fill();
  return make("details.row", { open, ontoggle: (event) => { if (event.target.open) fill(); } },
    make("summary", null, rowBadge(r), " ", make("span.edit", null, row.metric(r).name + (row.edit(r) ? ": " + row.edit(r) : "")), said ? make("span.quiet.folded", null, said) : null),
    inside,
  );
}

function rowDetails(r, alone) {
  const e = row.element(r);
  const status = row.status(r);
  const [from, to] = row.findings(r);
  const witness = witnessOf(r);
  const lines = [];
  for (let f = from; f < to; f++) {
    if (alone && found.property(f) !== alone) continue;
    const verdict = found.verdict(f);
    lines.push([
      found.property(f) ? propertyLink(found.property(f)) : make("em", null, "all together"),
      badge(verdict === "uncovered" ? (found.bound(f) >= 0 ? "bounded" : "hole") : verdict, { covered: "fails, so it is noticed", uncovered: found.bound(f) >= 0 ? "holds up to " + found.bound(f) : "still holds", "no-effect": "still holds, no effect" }[verdict]),
      [found.by(f), found.reason(f), found.count(f) ? number(found.count(f)) + " in all" : ""].filter(Boolean).join(", "),
      found.certified(f) ? make("span", { title: found.evidence(f) ? "evidence " + found.evidence(f) : "confirmed by separate code" }, "✓ certified") : make("span.quiet", null, "not certified"),
    ]);
  }
  const said = row.metric(r).name === "reach" ? executed(witness, status) : sentence(witness, status);
  const waiver = from < to ? found.waiver(from) : null;
  return make("div", null,
    waiver ? make("p.said", null, "Waived: " + waiver.reason + (waiver.author ? " (" + waiver.author + ")" : "") + (waiver.expires ? ", until " + waiver.expires : "") + ".") : null,
    e >= 0 && row.metric(r).name !== "reach" ? difference(e, row.edit(r)) : null,
    said ? make("p.said", null, said) : null,
    witness ? waveform(witness.design, witness.mutant, witness.mutant >= 0 && witness.design >= 0 ? "design beside mutant" : witness.mutant >= 0 ? "run of the mutant" : "run of the design") : null,
    witness && witness.design < 0 && witness.mutant < 0 && e >= 0 && status === "hole" ? hint(e, row.edit(r)) : null,
    lines.length ? table([{ title: "property" }, { title: "verdict" }, { title: "by" }, { title: "" }], lines) : null,
  );
}

// What somebody could see, if anybody looked: who differs, and when.
function differing(witness, most) {
  if (!witness || !witness.observed.length) return "";
  const more = witness.observed.length - most;
  const who = witness.observed.slice(0, more > 1 ? most : undefined).join(", ") + (more > 1 ? " and " + more + " more" : "");
  return who + (witness.observed.length === 1 ? " differs" : " differ") + (witness.depth === null ? "" : " in step " + witness.depth);
}

function sentence(witness, status) {
  if (!witness) return "";
  if (witness.observed.length) return "Unnoticed bug: " + differing(witness, 6) + (witness.depth !== null && witness.shortest ? " (shortest run)" : "") + ", and every property holds.";
  if (witness.reason) return "Whether anybody could notice was not decided: " + witness.reason + ".";
  if (status === "no-effect" && witness.observation) return "Nobody who looks at " + witness.observation + " can tell the mutant from the design.";
  if (witness.depth !== null && status === "covered") return "Noticed after " + plural(witness.depth, "step", "steps") + ".";
  return "";
}

function executed(witness, status) {
  return witness && status === "covered" && witness.depth !== null ? "Some run is there after " + plural(witness.depth, "step", "steps") + "." : "";
}

// What to type for a run that is not in this file.
function hint(e, edit) {
  const files = DATA.files.map((file) => file.path).join(" ");
  return make("p.quiet", null, "For a run: ", make("code", null, "propcov explain " + files + " " + element.name(e) + " --edit " + edit));
}

// The edit as a difference of the source: what is written, and what the mutant does instead.
const INSTEAD = { free: "⟨any value⟩", zero: "⟨0⟩", one: "⟨all ones⟩" };

function difference(e, edit) {
  // A condition has one bit.
  const instead = edit === "one" && element.kind(e) === "branch" ? "⟨1⟩" : INSTEAD[edit];
  const p = element.place(e);
  if (!instead || p < 0) return null;
  const file = DATA.files[PLACES.file[p]];
  if (file.text === null || PLACES.end_line[p] - PLACES.line[p] > 6) return null;
  const lines = linesOf(PLACES.file[p]).slice(PLACES.line[p] - 1, PLACES.end_line[p]);
  if (!lines.length || lines.some((line) => line.length > 400)) return null;
  const [first, last] = [lines[0], lines[lines.length - 1]];
  const [from, to] = [columnAt(first, PLACES.column[p]), columnAt(last, PLACES.end_column[p] + 1)];
  const inside = lines.length === 1 ? first.slice(from, to) : first.slice(from);
  // The definition of a name, if it is one: what stands before its sign stays.
  const leaf = scopesOf(element.name(e)).pop().split("@")[0].replace(/\[\d+\]$/, "");
  const sign = /<=|:=|=(?![=>])/.exec(inside);
  // Where only a name is declared, or a whole line has no sign at which it could be cut, it is the value that changes.
  const isWhole = !sign && first.trim() === inside.trim() && element.kind(e) !== "branch";
  if (lines.length === 1 && (inside.trim() === leaf || isWhole)) {
    return make("pre.difference", { "aria-label": "the mutant as a difference of the source" }, make("div", null, "  " + first), make("div.plus", null, "+ " + /^\s*/.exec(first)[0], make("mark", null, visible(leaf, 100) + " ≡ " + instead)));
  }
  const kept = sign && leaf && inside.slice(0, sign.index).includes(leaf) ? inside.slice(0, sign.index + sign[0].length) + " " : "";
  const tail = last.slice(to);
  const end = kept && /;\s*$/.test(lines.length === 1 ? inside : last.slice(0, to)) ? ";" : "";
  return make("pre.difference", { "aria-label": "the mutant as a difference of the source" },
    lines.map((line) => make("div.minus", null, "− " + line)),
    make("div.plus", null, "+ " + first.slice(0, from) + kept, make("mark", null, instead), end + tail),
  );
}

// Columns count characters, and strings have units: characters beyond 16 bits have two.
function columnAt(line, column) {
  let units = 0;
  for (let at = 1; at < column && units < line.length; at++) units += line.codePointAt(units) > 0xffff ? 2 : 1;
  return units;
}

const splitLines = new Map();
function linesOf(file) {
  if (!splitLines.has(file)) splitLines.set(file, (DATA.files[file].text || "").split("\n").map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line)));
  return splitLines.get(file);
}
