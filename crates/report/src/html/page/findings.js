// All that was found, and all elements: long lists with filters.

// What the scope without a name is called in links.
const TOP = "(top)";

function placeOf(e) {
  return e >= 0 ? element.place(e) : -1;
}

// What is written there, beside the name.
function textAt(p) {
  if (p < 0 || DATA.files[PLACES.file[p]].text === null) return "";
  return (linesOf(PLACES.file[p])[PLACES.line[p] - 1] || "").trim();
}

function lineOf(e) {
  const text = textAt(placeOf(e));
  return text ? make("span.said-there", null, visible(text, 120)) : null;
}

function filters(query, kinds, changed) {
  const files = [...new Set(PLACES.file)].map((at) => DATA.files[at].path);
  const scopes = [...new Set(ELEMENTS.scope)].map(word).sort();
  const field = (name) => (value) => changed({ [name]: value });
  const box = make("input", { type: "search", value: query.q || "", placeholder: "name, property, file…", "aria-label": "Filter by text", id: "filter", oninput: (event) => changed({ q: event.target.value }) });
  return make("div.toolbar", null,
    make("label.field", null, make("span", null, "Find"), box),
    kinds.includes("metric") && METRICS.length > 1 ? select("Metric", [["", "all"], ...METRICS.map((metric) => [metric.name, metric.name])], query.metric || "", field("metric")) : null,
    select("Status", [["", "all"], ...(kinds.includes("metric") ? STATUSES : Object.keys(STATUS)).map((name) => [name, STATUS[name].symbol + " " + STATUS[name].text])], query.status || "", field("status")),
    files.length > 1 ? select("File", [["", "all"], ...files.map((path) => [path, path])], query.file || "", field("file")) : null,
    scopes.length > 1 ? select("Instance", [["", "all"], ...scopes.map((scope) => [scope || TOP, scope || "top"])], query.instance || "", field("instance")) : null,
  );
}

function fits(e, query) {
  if (query.file && (placeOf(e) < 0 || DATA.files[PLACES.file[placeOf(e)]].path !== query.file)) return false;
  if (query.instance && (e < 0 || (element.scope(e) || TOP) !== query.instance)) return false;
  return true;
}

function findingsPage(_, query) {
  const state = { ...query };
  const info = make("span.quiet");
  let shown = [];
  const list = new List({
    class: "findings", height: narrow() ? 44 : 28, label: "Findings",
    render: (i) => {
      const r = shown[i];
      const e = row.element(r);
      const property = row.findings(r)[1] - row.findings(r)[0] === 1 ? found.property(row.findings(r)[0]) : "";
      return make("div.finding", null, rowBadge(r), make("span.name", { title: row.name(r) }, visible(row.name(r), 160), lineOf(e)), make("span.edit", null, row.metric(r).name + (row.edit(r) ? " " + row.edit(r) : "")), make("span.where", { title: where(placeOf(e)) }, placeOf(e) >= 0 ? shortly(placeOf(e)) : visible(property, 60)));
    },
    opened: (i) => openRow(shown[i]),
  });
  const refilter = () => {
    const text = (state.q || "").toLowerCase();
    shown = [];
    for (let r = 0; r < COUNT.rows; r++) {
      if (state.metric && row.metric(r).name !== state.metric) continue;
      if (state.status && row.status(r) !== state.status) continue;
      const e = row.element(r);
      if (!fits(e, state)) continue;
      if (text && !row.name(r).toLowerCase().includes(text) && !row.edit(r).includes(text) && !where(placeOf(e)).toLowerCase().includes(text) && !mentions(r, text)) continue;
      shown.push(r);
    }
    // Worst first; of equals, those of the metric that asks the most.
    shown.sort((a, b) => STATUS[row.status(a)].rank - STATUS[row.status(b)].rank || asks(b) - asks(a) || a - b);
    clear(info).appendChild(document.createTextNode(plural(shown.length, "finding", "findings")));
    list.show(shown.length);
  };
  const bar = filters(state, ["metric"], (part) => { Object.assign(state, part); replaceQuery(part); refilter(); });
  bar.appendChild(info);
  afterwards(() => { refilter(); list.node.focus({ preventScroll: true }); });
  pageKeys = { n: () => list.choose(list.chosen + 1), p: () => list.choose(list.chosen - 1) };
  return make("div.page.fill", null, make("h1", null, "Findings"), bar, list.node);
}

function asks(r) {
  return row.metric(r).name === "mutation" ? METRICS.length : ROWS.metric[r];
}

function mentions(r, text) {
  const [from, to] = row.findings(r);
  for (let f = from; f < to; f++) if (found.property(f).toLowerCase().includes(text)) return true;
  return false;
}

function openRow(r) {
  const e = row.element(r);
  if (e >= 0) return openPanel(element.name(e), [elementCard(e)]);
  openPanel(row.name(r), [make("section.card", null, subjectFacts(row.subject(r)), rowCard(r))]);
}

function subjectFacts(subject) {
  if (subject.element !== undefined) return facts([["Element", String(subject.element)]]);
  if (subject.state === undefined) return facts([["Signal", subject.observed || "all observed signals"], ["Where", subject.text]]);
  return facts([["Proposition", subject.proposition], ["State", subject.state], ["Labels", (subject.labels || []).join(", ")]]);
}

function elementsPage(_, query) {
  const state = { ...query };
  const info = make("span.quiet");
  let shown = [];
  const list = new List({
    class: "findings", height: narrow() ? 44 : 28, label: "Elements",
    render: (i) => {
      const e = shown[i];
      const edits = rowsOf[e].filter((r) => !row.metric(r).cores);
      return make("div.finding", null, badge(element.grade(e)), make("span.name", { title: element.name(e) }, visible(element.name(e), 160), lineOf(e)),
        make("span.edit", null, edits.slice(0, 6).map((r) => make("span.mini.s-" + row.status(r), { title: row.edit(r) + ": " + statusText(row.status(r), row.metric(r).name) }, STATUS[row.status(r)].symbol + " " + row.edit(r)))),
        make("span.where", { title: where(element.place(e)) }, element.kind(e) + (element.place(e) >= 0 ? ", " + shortly(element.place(e)) : "")));
    },
    opened: (i) => { openPanel(element.name(shown[i]), [elementCard(shown[i])]); },
  });
  const refilter = (named) => {
    const text = (state.q || "").toLowerCase();
    shown = [];
    for (let e = 0; e < COUNT.elements; e++) {
      if (state.status && element.grade(e) !== state.status) continue;
      if (!fits(e, state)) continue;
      if (text && !element.name(e).toLowerCase().includes(text) && !element.kind(e).includes(text) && !where(element.place(e)).toLowerCase().includes(text)) continue;
      shown.push(e);
    }
    shown.sort((a, b) => STATUS[element.grade(a)].rank - STATUS[element.grade(b)].rank || a - b);
    clear(info).appendChild(document.createTextNode(plural(shown.length, "element", "elements")));
    list.show(shown.length);
    if (named >= 0) list.choose(shown.indexOf(named));
  };
  const bar = filters(state, [], (part) => { Object.assign(state, part); replaceQuery(part); refilter(-1); });
  bar.appendChild(info);
  afterwards(() => { refilter(elementKeyed.has(state.element) ? elementKeyed.get(state.element) : -1); list.node.focus({ preventScroll: true }); });
  pageKeys = { n: () => list.choose(list.chosen + 1), p: () => list.choose(list.chosen - 1) };
  return make("div.page.fill", null, make("h1", null, "Elements"), state.element && !elementKeyed.has(state.element) ? notInThisRun(state.element, alike(state.element)) : null, bar, list.node);
}
