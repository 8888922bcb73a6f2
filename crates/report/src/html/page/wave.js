// Runs as waveforms: the design beside the mutant, what differs marked, names as hierarchy, radix and zoom.

const ROW = 24;
const HEAD = 22;
// More signals than this are drawn on request.
const FEW = 120;
const RADIX = [["hex", "hex"], ["bin", "binary"], ["dec", "unsigned"], ["signed", "signed"]];

function isBit(signal) {
  return signal.sort === "bool" || signal.sort === "bitvec 1";
}

function isHigh(value) {
  return value === "1" || value === "true";
}

// A value as text. Bit-vectors are binary in the data, also those in arrays; everything else is shown as it is.
function inRadix(value, signal, radix) {
  if (signal.sort.startsWith("bitvec")) return bitsInRadix(value, radix);
  const memory = /^array of (bitvec )?.* by (bitvec )?/.exec(signal.sort);
  if (!memory || radix === "bin") return value;
  // An index is a place, whatever the words in it are.
  return value.replace(/([01]+|else): ([01]+)/g, (_, index, word) =>
    `${memory[2] && index !== "else" ? bitsInRadix(index, "dec") : index}: ${memory[1] ? bitsInRadix(word, radix) : word}`);
}

function bitsInRadix(value, radix) {
  if (!/^[01]+$/.test(value) || radix === "bin") return value;
  let amount = BigInt("0b" + value);
  if (radix === "hex") return amount.toString(16).padStart(Math.ceil(value.length / 4), "0");
  if (radix === "signed" && value[0] === "1") amount -= 1n << BigInt(value.length);
  return amount.toString();
}

function traceOf(at) {
  if (at === null || at === undefined || at < 0) return null;
  const trace = DATA.traces[at];
  const signals = trace.signals.map(([name, kind, sort, focus, values]) => ({
    name: word(name), kind: word(kind), sort: word(sort), focus: focus === 1, values: values.map(word),
  }));
  return { steps: trace.steps, signals, shows: trace.shows };
}

// Both runs signal by signal.
function paired(design, mutant) {
  if (!design || !mutant) {
    const only = design || mutant;
    return only.signals.map((signal) => ({ name: signal.name, signal, values: [signal.values], differs: [], focus: signal.focus }));
  }
  const other = new Map(mutant.signals.map((signal) => [signal.name, signal]));
  const rows = design.signals.map((signal) => {
    const twin = other.get(signal.name);
    other.delete(signal.name);
    if (!twin) return { name: signal.name, signal, values: [signal.values], differs: [], focus: signal.focus };
    const differs = signal.values.map((value, step) => value !== twin.values[step]);
    const any = differs.some(Boolean);
    return { name: signal.name, signal, values: any ? [signal.values, twin.values] : [signal.values], differs: any ? differs : [], focus: any };
  });
  for (const signal of other.values()) rows.push({ name: signal.name, signal, values: [signal.values], differs: [], focus: signal.focus, only: "mutant" });
  return rows;
}

// A name split at its dots, except for those inside brackets.
function scopesOf(name) {
  const parts = [""];
  let depth = 0;
  for (const c of name) {
    if ("([{".includes(c)) depth++;
    if (")]}".includes(c) && depth) depth--;
    if (c === "." && !depth) parts.push("");
    else parts[parts.length - 1] += c;
  }
  return parts;
}

// Rows to draw: what the run is about first, then all others below their scopes.
function arranged(rows, options) {
  const wanted = rows.filter((one) => !options.filter || one.name.toLowerCase().includes(options.filter));
  const changes = (one) => one.values.some((values) => values.some((value) => value !== values[0]));
  const first = wanted.filter((one) => one.focus);
  let rest = wanted.filter((one) => !one.focus);
  const quiet = rest.filter((one) => !changes(one)).length;
  if (!options.all && first.length) rest = rest.filter(changes);
  const drawn = first.map((one) => ({ ...one, label: one.name, depth: 0 }));
  if (first.length && rest.length) drawn.push({ heading: "all other signals", depth: 0 });
  const folder = { scopes: new Map(), rows: [] };
  for (const one of rest) {
    const path = scopesOf(one.name);
    let at = folder;
    for (const scope of path.slice(0, -1)) {
      if (!at.scopes.has(scope)) at.scopes.set(scope, { scopes: new Map(), rows: [] });
      at = at.scopes.get(scope);
    }
    at.rows.push({ ...one, label: path[path.length - 1] });
  }
  const walk = (at, depth) => {
    for (const one of at.rows) drawn.push({ ...one, depth });
    for (const [scope, inner] of at.scopes) {
      drawn.push({ heading: scope, depth });
      walk(inner, depth + 1);
    }
  };
  walk(folder, 0);
  return { drawn, hidden: options.all || !first.length ? 0 : quiet };
}

function bitPath(values, width, top) {
  const y = (value) => (isHigh(value) ? top + 5 : top + ROW - 6);
  let path = "M0 " + y(values[0]);
  values.forEach((value, step) => {
    path += "V" + y(value) + "H" + (step + 1) * width;
  });
  return draw("path", { d: path, class: "bit" });
}

function busBoxes(values, signal, width, top, radix, differs) {
  const boxes = [];
  let from = 0;
  for (let step = 1; step <= values.length; step++) {
    if (step < values.length && values[step] === values[from]) continue;
    const [left, right] = [from * width + 1, step * width - 1];
    const [high, low, middle] = [top + 4, top + ROW - 5, top + ROW / 2 - 0.5];
    const slope = Math.min(4, width / 4);
    boxes.push(draw("path", { d: `M${left} ${middle}L${left + slope} ${high}H${right - slope}L${right} ${middle}L${right - slope} ${low}H${left + slope}Z`, class: differs.slice(from, step).some(Boolean) ? "bus differs" : "bus" }));
    const text = inRadix(values[from], signal, radix);
    const room = Math.floor((right - left - 6) / 7);
    if (room > 0) {
      const shown = visible(text, 200);
      boxes.push(draw("text", { x: (left + right) / 2, y: middle + 4, class: "value" }, draw("title", null, text), shown.length > room ? shown.slice(0, Math.max(0, room - 1)) + "…" : shown));
    }
    from = step;
  }
  return boxes;
}

// One run, or two side by side, with controls.
function waveform(design, mutant, caption, fails) {
  const runs = [traceOf(design), traceOf(mutant)];
  const main = runs[0] || runs[1];
  if (!main || !main.steps) return null;
  const rows = paired(runs[0], runs[1]);
  const options = { radix: "hex", width: Math.max(18, Math.min(64, Math.floor(480 / main.steps))), fitted: true, all: rows.every((one) => !one.focus), filter: "", most: FEW };
  const stage = make("div.wave-stage");
  const note = make("p.quiet");
  const paint = () => {
    const { drawn, hidden } = arranged(rows, options);
    const shown = drawn.slice(0, options.most);
    const width = options.width;
    const names = make("div.wave-names");
    const lines = shown.reduce((sum, one) => sum + (one.heading !== undefined ? 1 : one.values.length), 0);
    const [wide, high] = [main.steps * width + 2, HEAD + lines * ROW];
    const picture = draw("svg", { width: wide, height: high, viewBox: `0 0 ${wide} ${high}`, role: "img", "aria-label": caption || "waveform" });
    names.appendChild(make("div.wave-name.wave-step", null, "step"));
    if (fails !== undefined) picture.appendChild(draw("rect", { x: fails * width, y: 0, width, height: high, class: "fails" }, draw("title", null, "here it fails")));
    const every = Math.max(1, Math.ceil(26 / width));
    for (let step = 0; step < main.steps; step++) {
      picture.appendChild(draw("line", { x1: step * width, x2: step * width, y1: HEAD - 4, y2: high, class: "grid" }));
      if (step % every === 0) picture.appendChild(draw("text", { x: step * width + width / 2, y: 14, class: "step" }, String(step)));
    }
    let top = HEAD;
    for (const one of shown) {
      if (one.heading !== undefined) {
        const title = make("div.wave-name.wave-scope", { title: one.heading }, one.heading || "(no name)");
        title.style.paddingLeft = 6 + one.depth * 12 + "px";
        names.appendChild(title);
        top += ROW;
        continue;
      }
      one.differs.forEach((differs, step) => {
        if (differs) picture.appendChild(draw("rect", { x: step * width, y: top, width, height: ROW * one.values.length, class: "difference" }));
      });
      one.values.forEach((values, which) => {
        const whose = one.values.length > 1 ? (which ? "mutant" : "design") : one.only || "";
        const title = make("div.wave-name" + (which ? ".wave-mutant" : ""), { title: one.name + " (" + one.signal.kind + ", " + one.signal.sort + ")" }, make("span.wave-label", null, which ? "" : one.label), whose ? make("span.wave-whose", null, whose) : null);
        title.style.paddingLeft = 6 + one.depth * 12 + "px";
        names.appendChild(title);
        const group = draw("g", { class: which ? "of-mutant" : "of-design" });
        add(group, [isBit(one.signal) ? bitPath(values, width, top) : busBoxes(values, one.signal, width, top, options.radix, one.differs)]);
        picture.appendChild(group);
        top += ROW;
      });
    }
    clear(stage);
    add(stage, [names, make("div.wave-scroll", { tabindex: "0" }, picture)]);
    clear(note);
    if (shown.length < drawn.length) note.appendChild(button("Show all " + number(drawn.length) + " rows", "Draw every signal", null, () => { options.most = Infinity; paint(); }));
    if (hidden) add(note, [plural(hidden, "signal that never changes is", "signals that never change are") + " not drawn. "]);
    add(note, [ending(main)]);
  };
  // As wide as there is room, and no wider than values need.
  const fit = () => {
    const room = stage.clientWidth - (stage.firstChild ? stage.firstChild.offsetWidth : 0) - 4;
    if (!options.fitted || room < 40) return;
    const { drawn } = arranged(rows, options);
    let longest = 2;
    for (const one of drawn.slice(0, options.most)) for (const values of one.values || []) for (const value of values) longest = Math.max(longest, isBit(one.signal) ? 2 : inRadix(value, one.signal, options.radix).length);
    const wanted = Math.max(64, Math.min(260, longest * 7 + 20));
    const width = Math.max(18, Math.min(wanted, Math.floor(room / main.steps)));
    if (width === options.width) return;
    options.width = width;
    paint();
  };
  const zoom = (factor) => { options.fitted = false; options.width = Math.max(6, Math.min(240, Math.round(options.width * factor))); paint(); };
  const controls = make("div.wave-controls", null,
    select("Radix", RADIX, options.radix, (value) => { options.radix = value; paint(); fit(); }),
    button("−", "Zoom out", null, () => zoom(1 / 1.5)),
    button("+", "Zoom in", null, () => zoom(1.5)),
    make("label.field", null, make("input", { type: "checkbox", checked: options.all, onchange: (event) => { options.all = event.target.checked; paint(); } }), make("span", null, "all signals")),
    make("input.wave-filter", { type: "search", placeholder: "filter names", "aria-label": "Filter signals by name", oninput: (event) => { options.filter = event.target.value.toLowerCase(); paint(); } }),
  );
  paint();
  if (window.ResizeObserver) new ResizeObserver(fit).observe(stage);
  const branches = main.shows ? main.shows.branches.map((branch) => make("div.branch", null, make("p", null, "From step " + branch.step + ", another run:"), waveform(branch.trace, null))) : [];
  return make("figure.wave", null, caption ? make("figcaption", null, caption) : null, main.shows ? claimed(main.shows) : null, controls, stage, note, branches);
}

function claimed(shows) {
  return make("p", null, "Shows ", make("code", null, shows.claim), shows.whole ? "" : ", as far as a run can");
}

// How a run goes on after its last step.
function ending(trace) {
  if (!trace.shows || trace.shows.loop_to === null) return "";
  const last = trace.steps - 1;
  return trace.shows.loop_to === last ? "Step " + last + " again and again." : "After step " + last + " back to step " + trace.shows.loop_to + ".";
}
