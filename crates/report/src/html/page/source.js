// The source, each line by its worst status and each token by its own. A line opens beside the page.

const LINE = 21;
// An element that spans more lines than this colours its first line only.
const SPAN = 40;
const indexes = new Map();

// The elements at each line of a file.
function lineIndex(file) {
  if (indexes.has(file)) return indexes.get(file);
  const index = new Map();
  for (let e = 0; e < COUNT.elements; e++) {
    for (const p of element.places(e)) {
      if (PLACES.file[p] !== file) continue;
      const last = PLACES.end_line[p] - PLACES.line[p] > SPAN ? PLACES.line[p] : PLACES.end_line[p];
      for (let line = PLACES.line[p]; line <= last; line++) {
        if (!index.has(line)) index.set(line, []);
        index.get(line).push([e, p]);
      }
    }
  }
  indexes.set(file, index);
  return index;
}

function worst(grades) {
  let best = "none";
  for (const grade of grades) if (STATUS[grade].rank < STATUS[best].rank) best = grade;
  return best;
}

// Where a line of a link is now: the same number if it says the same, else the nearest that does; -1 if none does.
function lineNow(lines, line, text) {
  if (!text || !line || textKey(lines[line - 1] || "") === text) return line;
  let best = -1;
  lines.forEach((one, i) => { if (textKey(one) === text && (best < 0 || Math.abs(i + 1 - line) < Math.abs(best - line))) best = i + 1; });
  return best;
}

function sourcePage(path, query) {
  const with_ = DATA.files.map((file, at) => [file, at]).filter(([file]) => file.text !== null);
  if (!with_.length) return make("div.page", null, make("h1", null, "Source"), make("p", null, "The run has no text of its files; see ", make("a", { href: link("elements") }, "the elements"), "."));
  const named = elementKeyed.has(query.element) ? elementKeyed.get(query.element) : -1;
  const missing = query.element && named < 0 ? notInThisRun(query.element, alike(query.element)) : null;
  let file = fileAt.has(path) ? fileAt.get(path) : -1;
  if (file < 0 && named >= 0 && element.place(named) >= 0) file = PLACES.file[element.place(named)];
  if (file < 0 || DATA.files[file].text === null) file = with_[0][1];
  const lines = linesOf(file);
  const index = lineIndex(file);
  const state = { property: query.property || "", instance: query.instance || "", only: query.only in STATUS ? query.only : "" };
  const inside = (e) => !state.instance || (element.scope(e) || TOP) === state.instance;
  const counts = (e) => element.role(e) === "design" && inside(e);
  const grade = (e) => (state.property ? gradeBy(e, state.property) : element.grade(e));
  const graded = new Map();
  const gradeOf = (e) => {
    if (!graded.has(e)) graded.set(e, grade(e));
    return graded.get(e);
  };
  const at = (line) => (index.get(line) || []).filter(([e]) => inside(e));
  const lineGrade = (line) => worst(at(line).filter(([e]) => counts(e)).map(([e]) => gradeOf(e)));
  // How many edits of what begins on a line nobody notices.
  const unnoticed = (line) => {
    const here = new Set(at(line).filter(([e, p]) => PLACES.line[p] === line && counts(e)).map(([e]) => e));
    let count = 0;
    for (const e of here) for (const r of rowsOf[e]) if (!row.metric(r).cores && (state.property ? statusBy(r, state.property) : row.status(r)) === "hole") count++;
    return count;
  };
  // What is claimed on a line: an assertion has its verdict there, and nothing of what checks it.
  const claims = new Map();
  for (const property of PROPERTIES) {
    const place = property.place;
    if (place && place.file === DATA.files[file].path) claims.set(place.line, [...(claims.get(place.line) || []), property]);
  }
  const list = new List({
    class: "code", height: LINE, label: "Source of " + DATA.files[file].path,
    render: (i) => {
      const grade = lineGrade(i + 1);
      const node = renderLine(lines[i], i + 1, at(i + 1), grade, gradeOf, claims.get(i + 1) || [], unnoticed(i + 1));
      if (state.only && grade !== state.only) node.classList.add("off");
      return node;
    },
    opened: (i) => openLine(i + 1),
  });
  const openLine = (line, arrived) => {
    if (!arrived) replaceAddress(link("source", DATA.files[file].path, { ...state, line, text: textKey(lines[line - 1] || "") }));
    const here = at(line);
    const claimed = claims.get(line) || [];
    // An assertion opens its property, with nothing of the design on its line.
    if (claimed.length && !here.some(([e]) => element.role(e) === "design")) return openProperty(claimed[0].name, null);
    if (!here.length) return closePanel();
    openPanel(DATA.files[file].path + ":" + line, lineCards(here, state, counts));
  };
  const jump = (step) => {
    let line = list.chosen + 1;
    for (let tried = 0; tried < lines.length; tried++) {
      line += step;
      if (line < 1) line = lines.length;
      if (line > lines.length) line = 1;
      if ((state.only ? [state.only] : ["hole", "partly"]).includes(lineGrade(line))) return list.choose(line - 1);
    }
  };
  pageKeys = { n: () => jump(1), p: () => jump(-1) };
  const scopes = [...new Set([...index.values()].flat().map(([e]) => element.scope(e)))].sort();
  const properties = PROPERTIES.map((property) => [property.name, property.name]);
  const total = {};
  for (const line of index.keys()) {
    const one = lineGrade(line);
    total[one] = (total[one] || 0) + 1;
  }
  const head = make("div.toolbar", null,
    with_.length > 1 ? select("File", with_.map(([one]) => [one.path, one.path]), DATA.files[file].path, (value) => go(link("source", value))) : make("h1", null, DATA.files[file].path),
    PROPERTIES.length ? select("Coloured by", [["", "all properties"], ...properties], state.property, (value) => go(link("source", DATA.files[file].path, { property: value, instance: state.instance }))) : null,
    scopes.length > 1 ? select("Instance", [["", "all instances"], ...scopes.map((scope) => [scope || TOP, scope || "top"])], state.instance, (value) => go(link("source", DATA.files[file].path, { property: state.property, instance: value }))) : null,
    make("span.toolbar-end", null, button("▲ hole", "Previous hole (p)", null, () => jump(-1)), button("▼ hole", "Next hole (n)", null, () => jump(1))),
  );
  const legend = !Object.keys(total).some((name) => name !== "none") ? make("p.legend.quiet", null, index.size ? "No element of this file counts." : "No element of this file was measured.") : make("p.legend", null, Object.keys(STATUS).filter((name) => total[name] && name !== "none").map((name) => {
    const chip = make("button.chip", { type: "button", "aria-pressed": String(state.only === name), title: "Only these lines: " + STATUS[name].long }, badge(name, amount(total[name], name)));
    chip.addEventListener("click", () => only(state.only === name ? "" : name));
    return chip;
  }), make("span.quiet", null, " lines"));
  const only = (name) => {
    state.only = name;
    for (const chip of legend.querySelectorAll(".chip")) chip.setAttribute("aria-pressed", String(!!name && !!chip.querySelector(".s-" + name)));
    replaceQuery({ only: name });
    list.show(lines.length, list.chosen);
  };
  const notice = make("div", null, missing);
  const page = make("div.page.fill", null, head, legend, notice, list.node);
  afterwards(() => {
    list.show(lines.length);
    let line = lineNow(lines, Number(query.line) || 0, query.text);
    if (line < 0) {
      notice.appendChild(notInThisRun(DATA.files[file].path + ":" + query.line));
      line = 0;
    }
    const place = named >= 0 ? element.places(named).find((p) => PLACES.file[p] === file) : undefined;
    // Lines move from run to run, and names stay.
    if (place !== undefined && !at(line).some(([e]) => e === named)) line = PLACES.line[place];
    if (line >= 1 && line <= lines.length) {
      list.choose(line - 1, true);
      if (at(line).length || claims.has(line)) openLine(line, true);
    } else {
      // The first line that has a colour.
      const first = lines.findIndex((_, i) => lineGrade(i + 1) !== "none");
      if (first > 0) list.node.scrollTop = Math.max(0, first - 3) * LINE;
    }
    list.node.focus({ preventScroll: true });
  });
  return page;
}

// The elements of a line: those that differ in nothing but their instance are folded.
function lineCards(here, state, counts) {
  const groups = new Map();
  for (const [e, p] of here) {
    const key = element.kind(e) + "\n" + PLACES.line[p] + ":" + PLACES.column[p] + ":" + PLACES.end_line[p] + ":" + PLACES.end_column[p];
    if (!groups.has(key)) groups.set(key, []);
    if (!groups.get(key).includes(e)) groups.get(key).push(e);
  }
  const ordered = [...groups.values()].sort((a, b) => STATUS[worst(a.map(element.grade))].rank - STATUS[worst(b.map(element.grade))].rank);
  return ordered.map((group) => {
    const several = new Set(group.map(element.scope)).size > 1;
    if (group.length === 1 || !several) return group.map((e) => elementCard(e, state));
    const tally = {};
    for (const e of group.filter(counts)) tally[element.grade(e)] = (tally[element.grade(e)] || 0) + 1;
    const inside = make("div");
    const worstFirst = [...group].sort((a, b) => STATUS[element.grade(a)].rank - STATUS[element.grade(b)].rank);
    return make("section.card", null,
      make("h3", null, element.kind(group[0]) + " in " + plural(group.length, "instance", "instances")),
      make("p.chips", null, Object.keys(tally).map((name) => badge(name, amount(tally[name], name)))),
      elementCard(worstFirst[0], state),
      make("details", { ontoggle: (event) => { if (event.target.open && !inside.firstChild) add(inside, worstFirst.slice(1).map((e) => elementCard(e, state))); } }, make("summary", null, "the other instances"), inside),
    );
  });
}

// A line is cut into tokens by the elements that are written there; of several the shortest has it.
function renderLine(text, line, here, grade, gradeOf, claims, holes) {
  const node = make("div.line.l-" + grade, null, make("span.line-number", null, String(line)), make("span.line-symbol", { title: STATUS[grade].long }, STATUS[grade].symbol));
  const content = make("span.line-text");
  const shown = text.length > LONGEST ? text.slice(0, LONGEST) : text;
  const spans = [];
  for (const [e, p] of here) {
    const from = PLACES.line[p] < line ? 0 : columnAt(shown, PLACES.column[p]);
    const to = PLACES.end_line[p] > line ? shown.length : columnAt(shown, PLACES.end_column[p] + 1);
    if (from < to) spans.push({ from, to, size: (PLACES.end_line[p] - PLACES.line[p]) * 10000 + to - from, e });
  }
  if (!spans.length) add(content, [shown]);
  else {
    const edges = [...new Set([0, shown.length, ...spans.flatMap((span) => [span.from, span.to])])].sort((a, b) => a - b);
    for (let i = 0; i + 1 < edges.length; i++) {
      const inside = spans.filter((span) => span.from <= edges[i] && span.to >= edges[i + 1]);
      const part = shown.slice(edges[i], edges[i + 1]);
      if (!inside.length) add(content, [part]);
      else {
        const size = Math.min(...inside.map((span) => span.size));
        const owners = inside.filter((span) => span.size === size);
        const checker = owners.every((span) => element.role(span.e) !== "design");
        const own = worst(owners.map((span) => gradeOf(span.e)));
        content.appendChild(make("span.token.t-" + (checker ? "checker" : own), { title: element.name(owners[0].e) + (owners.length > 1 ? " and " + (owners.length - 1) + " more" : "") + ": " + STATUS[own].text }, part));
      }
    }
  }
  if (shown.length < text.length) content.appendChild(make("span.quiet", null, "… " + number(text.length - shown.length) + " more characters"));
  if (holes) content.appendChild(make("span.holes-here", { title: plural(holes, "edit that nobody notices", "edits that nobody notices") }, STATUS.hole.symbol + " " + number(holes)));
  for (const property of claims) add(content, [" ", make("a", { href: propertyHref(property.name), title: property.name }, verdictBadge(property))]);
  node.appendChild(content);
  return node;
}
