// Refinement: the implementation as a graph with its uncovered labels, and what shows the verdict.

function refinementPage() {
  const known = DATA.refinement;
  const share = DATA.shares.find((one) => one.scope[0] === "all");
  const model = (one) => one.path + " (" + [one.format, one.states ? plural(one.states, "state", "states") : "", one.transitions ? plural(one.transitions, "transition", "transitions") : ""].filter(Boolean).join(", ") + ")";
  const verdict = known.simulates === true ? badge("covered", "simulates") : known.simulates === false ? badge("hole", "does not simulate") : badge("unknown", "not known");
  const holes = [];
  for (let r = 0; r < COUNT.rows; r++) if (row.subject(r) && row.subject(r).state !== undefined && row.status(r) !== "covered") holes.push(r);
  const criteria = known.criteria;
  return make("div.page", null, make("h1", null, "Refinement"),
    make("p", null, known.specification.path + " ", verdict, " " + known.implementation.path),
    share ? [make("p.headline", null, headline(share)), bar(share)] : null,
    facts([
      ["Implementation", model(known.implementation)],
      ["Specification", model(known.specification)],
      ["Propositions", known.propositions.join(", ")],
      ["Not compared", [...(known.extra || []), ...(known.left_out || [])].join(", ")],
      ["Certified", known.certified ? "yes, by separate code" : "no"],
      ["Not known", known.reason],
    ]),
    DATA.picture ? make("section", null, make("h2", null, "Implementation"), graph(DATA.picture)) : null,
    known.distinction ? make("section", null, make("h2", null, "Why not"), distinction(known.distinction)) : null,
    known.unsimulated ? make("section", null, make("h2", null, "A state that is not simulated"), make("p", null, make("code", null, known.unsimulated.state)), waveform(DATA.unsimulated, null, "a run to it")) : null,
    holes.length ? make("section", null, make("h2", null, "Labels that are not covered"), table(
      [{ title: "status" }, { title: "proposition" }, { title: "state" }, { title: "labels", class: "wide" }],
      holes.slice(0, PRINTED).map((r) => [badge(row.status(r)), row.subject(r).proposition, row.subject(r).state, (row.subject(r).labels || []).join(" ")]))) : null,
    (known.explanations || []).map(explanation),
    criteria ? make("section", null, make("h2", null, "Not implemented"), facts([
      ["Form", criteria.form], ["Not known", criteria.reason],
      ["Start states", (criteria.unimplemented_start_states || []).join(", ")],
      ["States", (criteria.unimplemented_states || []).join(", ")],
      ["Transitions", (criteria.unimplemented_transitions || []).map((one) => one.from + " → " + one.to).join(", ")],
      ["Several at once", (criteria.many_to_one || []).map((one) => one.state + ": " + one.implementation.join(", ")).join("; ")],
    ])) : null,
  );
}

function distinction(one) {
  return [
    table([{ title: "step", class: "right" }, { title: "state" }, { title: "labels" }, { title: "specification" }], one.run.map((step, at) => [String(at), step.state, step.labels.join(" "), step.specification.join(", ") || "nowhere"])),
    one.refutations.length ? table([{ title: "implementation" }, { title: "specification" }, { title: "has no answer to" }], one.refutations.map((it) => [it.implementation, it.specification, it.step + " " + (it.labels || []).join(" ")])) : null,
  ];
}

function explanation(one) {
  return make("section", null, make("h2", null, "Evidence: " + (one.proposition || "") + " in " + (one.state || "")),
    one.distinction ? distinction(one.distinction) : null,
    one.run && one.run.length ? table([{ title: "implementation" }, { title: "labels" }, { title: "specification" }, { title: "needs" }], one.run.map((step) => [step.implementation, step.labels.join(" "), step.specification, step.needs.join(" ")])) : null);
}

// The graph: places come with the data, so that it looks as the picture of `propcov refine --picture` does.
function graph(picture) {
  const view = draw("svg", { viewBox: `-4 -4 ${picture.width + 8} ${picture.height + 8}`, width: picture.width + 8, height: picture.height + 8, role: "img", "aria-label": "the implementation as a graph" });
  for (const arrow of picture.arrows) add(view, [draw("path", { d: arrow.path, class: "arrow" }), draw("polygon", { points: arrow.head, class: "tip" })]);
  for (const state of picture.states) {
    const group = draw("g", { class: "state g-" + (state.mark || "plain").replace(/ /g, "-") }, draw("title", null, state.title));
    group.appendChild(draw("rect", { x: state.x, y: state.y, width: state.width, height: state.height, rx: state.mark === "uncovered" ? 0 : 8 }));
    state.lines.forEach((text, at) => group.appendChild(draw("text", { x: state.x + state.width / 2, y: state.y + 20 + at * 15, class: at ? "" : "state-name" }, text)));
    view.appendChild(group);
  }
  return make("div.graph", { tabindex: "0" }, view);
}
