// Requirements against elements, never cut: only the cells in view exist, in both directions.

const CELL = 26;

function matrixPage(_, query) {
  const state = { q: query.q || "", mark: query.mark || "", sort: query.sort || "design", by: query.by || "" };
  const columns = MATRIX.rows;
  const used = (at) => columns.filter((one) => !one.together && "Xox".includes(one.marks[at])).length;
  const requirement = (name) => DATA.requirements.filter((one) => one.properties.includes(name)).map((one) => one.id).join(" ");
  let rows = [];
  const info = make("span.quiet");
  const head = make("div.matrix-head");
  const body = make("div.matrix-body");
  const node = make("div.matrix", { tabindex: "0", "aria-label": "Traceability matrix" }, head, body);
  const drawn = new Map();
  const wide = () => (narrow() ? 150 : 300);
  // As high as the longest heading needs.
  const longest = columns.reduce((most, one) => Math.max(most, one.together ? 12 : one.name.length + requirement(one.name).length), 4);
  const high = Math.min(150, 26 + Math.ceil(longest * 5.6));
  for (const [key, value] of [["height", high], ["marginBottom", -high]]) head.style[key] = value + "px";

  const paint = () => {
    if (!node.isConnected) return;
    const left = wide();
    const [x, y, w, h] = [node.scrollLeft, node.scrollTop, node.clientWidth || 800, node.clientHeight || 600];
    const c0 = Math.max(0, Math.floor(x / CELL) - 2);
    const c1 = Math.min(columns.length, Math.ceil((x + w) / CELL) + 2);
    const r0 = Math.max(0, Math.floor(y / CELL) - 6);
    const r1 = Math.min(rows.length, Math.ceil((y + h) / CELL) + 6);
    const key = (r, c) => r * columns.length + c;
    for (const [at, cells] of drawn) {
      if (at < r0 || at >= r1 || cells.c0 !== c0 || cells.c1 !== c1) {
        cells.node.remove();
        drawn.delete(at);
      }
    }
    for (let r = r0; r < r1; r++) {
      if (drawn.has(r)) continue;
      const e = MATRIX.elements[rows[r]];
      const line = make("div.matrix-row", null, make("a.matrix-name", { href: link("element", element.key(e)), title: element.name(e) }, visible(element.name(e), 120)));
      line.style.top = high + r * CELL + "px";
      line.firstChild.style.width = left - 8 + "px";
      for (let c = c0; c < c1; c++) {
        const mark = columns[c].marks[rows[r]];
        const known = MARK[mark];
        const cell = make("span.cell.m-" + known.name, { title: element.name(e) + " and " + columns[c].name + ": " + (mark === "x" && !columns[c].minimal ? "in a core that was not minimised: may not be needed" : known.long) }, { X: "●", o: "◐", x: columns[c].minimal ? "•" : "•?", ".": "", "?": "?", "-": "–" }[mark]);
        cell.style.left = left + c * CELL + "px";
        line.appendChild(cell);
      }
      body.appendChild(line);
      drawn.set(r, { node: line, c0, c1, key: key(r, c0) });
    }
    clear(head);
    const corner = make("div.matrix-corner");
    corner.style.width = left + "px";
    corner.style.height = high - 1 + "px";
    head.appendChild(corner);
    for (let c = c0; c < c1; c++) {
      const name = columns[c].together ? "all together" : columns[c].name;
      const ids = requirement(columns[c].name);
      const text = make("a.matrix-title", { href: columns[c].together ? null : propertyHref(name), title: name + ", " + columns[c].verdict + ", " + plural(columns[c].cores, "core", "cores") + (columns[c].complete ? " (all)" : "") + (columns[c].minimal ? "" : ", not minimised") }, visible(ids ? ids + " " + name : name, 60));
      text.style.left = left + c * CELL + "px";
      head.appendChild(text);
    }
  };

  const refilter = () => {
    const text = state.q.toLowerCase();
    rows = MATRIX.elements.map((_, at) => at).filter((at) => {
      const e = MATRIX.elements[at];
      if (text && !element.name(e).toLowerCase().includes(text)) return false;
      if (state.mark === "unused") return columns.every((one) => one.together || !"Xox?".includes(one.marks[at]));
      if (state.mark && !columns.some((one) => MARK[one.marks[at]].name === state.mark)) return false;
      return true;
    });
    const column = columns.findIndex((one) => !one.together && one.name === state.by);
    const strength = (at) => (column < 0 ? 0 : "Xox?.-".indexOf(columns[column].marks[at]));
    if (state.sort === "name") rows.sort((a, b) => element.name(MATRIX.elements[a]).localeCompare(element.name(MATRIX.elements[b]), undefined, { numeric: true }));
    if (state.sort === "used") rows.sort((a, b) => used(b) - used(a) || a - b);
    if (state.sort === "least") rows.sort((a, b) => used(a) - used(b) || a - b);
    if (column >= 0) rows.sort((a, b) => strength(a) - strength(b) || a - b);
    body.style.height = high + rows.length * CELL + "px";
    body.style.width = wide() + columns.length * CELL + 120 + "px";
    head.style.width = body.style.width;
    clear(info).appendChild(document.createTextNode(plural(rows.length, "element", "elements") + " × " + plural(columns.length, "row of properties", "properties")));
    for (const cells of drawn.values()) cells.node.remove();
    drawn.clear();
    paint();
  };
  const changed = (part) => { Object.assign(state, part); replaceQuery(part); refilter(); };
  node.addEventListener("scroll", () => requestAnimationFrame(paint));
  if (window.ResizeObserver) new ResizeObserver(() => paint()).observe(node);
  const bar_ = make("div.toolbar", null,
    make("label.field", null, make("span", null, "Find"), make("input", { type: "search", id: "filter", value: state.q, placeholder: "element…", "aria-label": "Filter elements", oninput: (event) => changed({ q: event.target.value }) })),
    select("Mark", [["", "all"], ["must", "MUST"], ["may", "MAY"], ["core", "in a core"], ["unknown", "not known"], ["unused", "needed by none"]], state.mark, (value) => changed({ mark: value })),
    select("Order", [["design", "as in the design"], ["name", "by name"], ["used", "most needed first"], ["least", "least needed first"]], state.sort, (value) => changed({ sort: value })),
    select("First those of", [["", "–"], ...columns.filter((one) => !one.together).map((one) => [one.name, one.name])], state.by, (value) => changed({ by: value })),
    info,
  );
  afterwards(refilter);
  const printed = () => table([{ title: "element" }, { title: "needed by", class: "wide" }], rows.slice(0, PRINTED).map((at) => [element.name(MATRIX.elements[at]), columns.filter((one) => "Xox".includes(one.marks[at])).map((one) => (one.together ? "all together" : one.name) + " (" + MARK[one.marks[at]].text + ")").join(", ")]));
  const paper = make("div.only-print");
  onPrint = () => clear(paper).appendChild(printed());
  return make("div.page.fill", null, make("h1", null, "Traceability"), bar_,
    make("p.legend", null, [["●", "MUST: in every core"], ["◐", "MAY: in some minimal core"], ["•", "in a core that was found"], ...(columns.every((one) => one.minimal) ? [] : [["•?", "in a core that was not minimised"]]), ["?", "not known"], ["–", "no proof"]].map(([sign, text]) => make("span.key", null, make("b", null, sign), " " + text))),
    node, paper);
}
