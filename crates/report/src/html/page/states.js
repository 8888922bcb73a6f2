// State and transition coverage: holes as conditions, with a run into each.

function statesPage() {
  const blocks = DATA.states.map((one) => {
    const share = DATA.shares.find((share) => share.metric === one.metric && (one.observed ? share.scope[0] === "observed" && share.scope[1] === one.observed : share.scope[0] === "all"));
    const rows = [];
    for (let r = 0; r < COUNT.rows; r++) {
      const subject = row.subject(r);
      if (subject && subject.text !== undefined && row.metric(r).name === one.metric && (subject.observed || "") === (one.observed || "")) rows.push(r);
    }
    const parts = (one.properties || []).map((part) => [
      propertyLink(part.property), verdictBadge({ verdict: part.verdict }), part.covered === undefined ? part.reason || "–" : number(part.covered), part.unique === undefined ? "–" : number(part.unique),
      part.redundant ? make("span.badge.s-no-effect", null, "≈ adds nothing") : part.mentions ? "" : "does not mention it",
    ]);
    return make("section", null,
      make("h2", null, (one.observed || "all observed signals") + ", " + one.metric + "s"),
      share ? [make("p.headline", null, headline(share)), bar(share)] : null,
      facts([
        ["Reachable", one.reachable ? number(one.reachable) : ""],
        ["Not cared for", one.excluded && one.excluded !== "0" ? number(one.excluded) : ""],
        ["Not fair", one.unfair && one.unfair !== "0" ? number(one.unfair) : ""],
        ["Semantics", one.semantics + ", flip " + one.flip],
        ["Not known", one.reason],
        ["Not certified", one.not_certified],
        ["Holes not listed", one.not_listed || (one.rest && one.rest !== "0" ? number(one.rest) + " more" : "")],
        ["Read by", one.readers && one.readers.length ? one.readers.join(", ") : ""],
      ]),
      rows.length ? make("h3.above", null, "Holes") : null,
      rows.length ? make("div.holes", null, rows.slice(0, 200).map((r) => holeRow(r)), rows.length > 200 ? make("p", null, make("a", { href: link("findings", "", { metric: one.metric }) }, "All " + number(rows.length))) : null) : null,
      parts.length ? make("h3.above", null, "Properties") : null,
      parts.length ? table([{ title: "property" }, { title: "verdict" }, { title: "covers", class: "right" }, { title: "unique", class: "right" }, { title: "" }], parts) : null,
    );
  });
  const silent = DATA.unmentioned;
  return make("div.page", null, make("h1", null, "States"), blocks,
    silent && silent.silent && silent.silent.length ? make("section", null, make("h2", null, "Not mentioned by any property"), make("p", null, silent.silent.join(", "))) : null,
    silent && silent.indirect && silent.indirect.length ? make("section", null, make("h2", null, "Mentioned through a definition"), make("p", null, silent.indirect.join(", "))) : null);
}

function holeRow(r) {
  const subject = row.subject(r);
  const [from] = row.findings(r);
  const count = found.count(from);
  return make("details.row", null,
    make("summary", null, badge(row.status(r)), " ", make("code", null, visible(subject.text, 300)), count ? make("span.quiet", null, "  " + number(count) + " " + row.metric(r).name + (count === "1" ? "" : "s")) : null, witnessOf(r) && witnessOf(r).design >= 0 ? make("span.quiet", null, ", with a run of " + plural(DATA.traces[witnessOf(r).design].steps, "step", "steps")) : null),
    lazily(() => rowDetails(r)),
  );
}

// Made when it is first seen.
function lazily(makeIt) {
  const node = make("div");
  afterwards(() => {
    const parent = node.parentElement;
    if (!parent) return;
    const fill = () => { if (!node.firstChild && parent.open) node.appendChild(makeIt()); };
    parent.addEventListener("toggle", fill);
    fill();
  });
  return node;
}
