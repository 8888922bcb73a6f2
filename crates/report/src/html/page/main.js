// Pages, links, keys and themes.

let pageKeys = {};
let onPrint = null;
let pending = [];
const narrow = () => window.innerWidth < 640;

function afterwards(action) {
  pending.push(action);
}

// Links are made of names, so that they survive a new run: #/page/name?key=value
function link(page, name, query) {
  const parts = Object.entries(query || {}).filter(([, value]) => value !== null && value !== undefined && value !== "");
  const tail = parts.map(([key, value]) => encodeURIComponent(wellFormed(key)) + "=" + encodeURIComponent(wellFormed(value))).join("&");
  return "#/" + page + (name ? "/" + encodeURIComponent(wellFormed(name)) : "") + (tail ? "?" + tail : "");
}

// Half a character has no code in an address.
function wellFormed(text) {
  return String(text).replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "\ufffd");
}

function route() {
  const [path, tail] = location.hash.replace(/^#\/?/, "").split("?");
  const [page, name] = path.split("/");
  const decode = (text) => {
    try {
      return decodeURIComponent(text || "");
    } catch (_) {
      return text;
    }
  };
  const query = {};
  for (const part of (tail || "").split("&").filter(Boolean)) {
    const [key, value] = part.split("=");
    query[decode(key)] = decode(value);
  }
  return { page: page || "summary", name: decode(name), query };
}

function go(target) {
  if (location.hash === target) show();
  else location.hash = target;
}

// Notes a filter in the address without a new entry in the history.
function replaceQuery(part) {
  const { page, name, query } = route();
  replaceAddress(link(page, name, { ...query, ...part }));
}

function replaceAddress(address) {
  try {
    history.replaceState(null, "", address);
  } catch (_) {
    // Browsers limit how often an address may change: the page is right all the same.
  }
}

const hasText = DATA.files.some((file) => file.text !== null);
const PAGES = [
  { name: "summary", title: "Summary", page: summaryPage, there: true },
  { name: "source", title: "Source", page: sourcePage, there: hasText },
  { name: "findings", title: "Findings", page: findingsPage, there: COUNT.rows > 0 },
  { name: "elements", title: "Elements", page: elementsPage, there: COUNT.elements > 0 },
  { name: "properties", title: "Properties", page: propertiesPage, there: PROPERTIES.length > 0 },
  { name: "matrix", title: "Traceability", page: matrixPage, there: MATRIX !== null },
  { name: "states", title: "States", page: statesPage, there: DATA.states.length > 0 },
  { name: "refinement", title: "Refinement", page: refinementPage, there: DATA.refinement !== null },
].filter((page) => page.there);
const HIDDEN_PAGES = {
  property: { of: "properties", page: (key, query) => propertiesPage(propertyKeyed.has(key) ? PROPERTIES[propertyKeyed.get(key)].name : key, query) },
  element: {
    of: hasText ? "source" : "elements",
    page: (name, query) => {
      const e = elementKeyed.has(name) ? elementKeyed.get(name) : -1;
      const p = e >= 0 ? element.place(e) : -1;
      const sourced = p >= 0 && DATA.files[PLACES.file[p]].text !== null;
      return sourced ? sourcePage(DATA.files[PLACES.file[p]].path, { ...query, element: name }) : elementsPage("", { ...query, element: name });
    },
  },
};

const main = make("main", { id: "main" });
panel.node = make("aside.panel", { hidden: true, "aria-label": "Details" });
const tabs = make("nav", { "aria-label": "Pages" });
const finder = make("input.finder", { type: "search", placeholder: "Search  /", "aria-label": "Search everything" });

function show() {
  const { page, name, query } = route();
  const known = PAGES.find((one) => one.name === page);
  const hidden = HIDDEN_PAGES[page];
  panel.close = null;
  closePanel();
  lists.clear();
  pageKeys = {};
  onPrint = null;
  pending = [];
  const current = known ? known.name : hidden ? hidden.of : "summary";
  clear(tabs);
  for (const one of PAGES) tabs.appendChild(make("a", { href: link(one.name), "aria-current": one.name === current ? "page" : null }, one.title));
  clear(main).appendChild((known || hidden || PAGES[0]).page(name, query));
  document.title = visible(DATA.title, 80) + " – propcov";
  window.scrollTo(0, 0);
  const actions = pending;
  pending = [];
  actions.forEach((action) => action());
}

// Everything with a name: pages, properties, elements, files.
const MOST = 40;
function search(text) {
  const wanted = text.toLowerCase();
  const hits = [];
  const offer = (kind, name, href, about) => {
    if (hits.length < MOST && name.toLowerCase().includes(wanted)) hits.push([kind, name, href, about]);
  };
  PROPERTIES.forEach((property) => offer("property", property.name, propertyHref(property.name), property.place ? property.place.file.split("/").pop() + ":" + property.place.line : ""));
  DATA.requirements.forEach((one) => offer("requirement", one.id + " " + one.text, one.properties.length ? propertyHref(one.properties[0]) : link("summary")));
  DATA.files.forEach((file) => offer("file", file.path, link("source", file.path)));
  for (let e = 0; e < COUNT.elements && hits.length < MOST; e++) offer("element", element.name(e), link("element", element.key(e)), [shortly(element.place(e)), textAt(element.place(e))].filter(Boolean).join("  "));
  return hits;
}

const results = make("div.results", { hidden: true, role: "listbox", "aria-label": "Search results" });
finder.addEventListener("input", () => {
  clear(results);
  results.hidden = !finder.value;
  if (!finder.value) return;
  const hits = search(finder.value);
  add(results, hits.map(([kind, name, href, about]) => make("a", { href, role: "option", onclick: () => { results.hidden = true; finder.value = ""; } }, make("span.quiet", null, kind + " "), visible(name, 120), about ? make("span.quiet", null, "  " + visible(about, 100)) : null)));
  if (!hits.length) results.appendChild(make("p.quiet", null, "Nothing has this in its name."));
});
finder.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && results.querySelector("a")) results.querySelector("a").click();
  if (event.key === "ArrowDown" && results.querySelector("a")) { event.preventDefault(); results.querySelector("a").focus(); }
});
results.addEventListener("keydown", (event) => {
  const step = { ArrowDown: "nextElementSibling", ArrowUp: "previousElementSibling" }[event.key];
  if (!step) return;
  event.preventDefault();
  (document.activeElement[step] || finder).focus();
});

// Light, dark, or what the system says.
const THEMES = { "": "◐", light: "☀", dark: "☾" };
let theme = "";
try {
  theme = localStorage.getItem("propcov-theme") || "";
} catch (_) {
  // Pages from files may have no storage.
}
const themeButton = button("", "Light, dark, or as the system", null, () => {
  const names = Object.keys(THEMES);
  setTheme(names[(names.indexOf(theme) + 1) % names.length]);
});
function setTheme(name) {
  theme = name in THEMES ? name : "";
  if (theme) document.documentElement.setAttribute("data-theme", theme);
  else document.documentElement.removeAttribute("data-theme");
  clear(themeButton).appendChild(document.createTextNode(THEMES[theme]));
  try {
    localStorage.setItem("propcov-theme", theme);
  } catch (_) {
    // As above.
  }
}

const KEYS = [
  ["/", "search everything"], ["f", "filter the list"], ["1 … 8", "go to a page"], ["j k ↑ ↓ Enter", "move in a list, open"], ["n p", "next and previous hole"], ["Esc", "close what is open"], ["t", "light, dark, or as the system"], ["?", "this list"],
];
const help = make("dialog", { "aria-label": "Keys" }, make("h2", null, "Keys"), make("dl.facts", null, KEYS.map(([key, text]) => [make("dt", null, make("kbd", null, key)), make("dd", null, text)])), button("Close", "Close (Esc)", null, () => help.close()));

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
  if (event.key === "Escape") {
    results.hidden = true;
    if (typing) event.target.blur();
    else closePanel();
    return;
  }
  if (typing) return;
  const jump = PAGES[Number(event.key) - 1];
  const actions = {
    "/": () => finder.focus(),
    f: () => document.getElementById("filter")?.focus(),
    t: () => themeButton.click(),
    "?": () => (help.open ? help.close() : help.showModal()),
    ...pageKeys,
  };
  const action = jump ? () => go(link(jump.name)) : actions[event.key];
  if (!action) return;
  event.preventDefault();
  action();
});

add(document.getElementById("app"), [
  make("header.top", null,
    make("a.brand", { href: link("summary"), title: DATA.title }, make("b", null, "propcov"), make("span.brand-design", null, visible(DATA.title, 80))),
    tabs,
    make("div.tools", null, make("div.find", null, finder, results), themeButton, button("?", "Keys (?)", null, () => help.showModal())),
  ),
  make("div.body", null, main, panel.node),
  help,
]);
document.addEventListener("click", (event) => { if (!event.target.closest(".find")) results.hidden = true; });
window.addEventListener("hashchange", show);
window.addEventListener("beforeprint", () => onPrint && onPrint());
setTheme(theme);
show();
document.documentElement.setAttribute("data-ready", String(Math.round(performance.now())));
