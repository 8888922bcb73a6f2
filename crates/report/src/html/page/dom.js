// Making elements. Text from files only ever becomes text nodes: nothing here parses markup.

const SVG = "http://www.w3.org/2000/svg";

// Characters that would turn the direction of writing, hide, or break a line: they are shown as escapes.
const HIDDEN = new RegExp(
  "[\\u0000-\\u0008\\u000a-\\u001f\\u007f-\\u009f\\u00ad\\u061c\\u180e\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb]|\\udb40[\\udc00-\\udc7f]|[\\ud800-\\udbff](?![\\udc00-\\udfff])",
  "g",
);

// The longest text that is put on the page in one piece.
const LONGEST = 4000;

function visible(text, most = LONGEST) {
  const whole = String(text);
  const cut = whole.length > most ? whole.slice(0, most) : whole;
  const shown = cut.replace(HIDDEN, (c) => "\\u{" + c.codePointAt(0).toString(16) + "}");
  return cut === whole ? shown : shown + "… (" + number(whole.length - most) + " more characters)";
}

// make("a.link.strong", {href: "#/x"}, "text", node, [more], null)
function make(what, attributes, ...children) {
  const [tag, ...classes] = what.split(".");
  const node = document.createElement(tag || "div");
  if (classes.length) node.className = classes.join(" ");
  decorate(node, attributes);
  add(node, children);
  return node;
}

function draw(tag, attributes, ...children) {
  const node = document.createElementNS(SVG, tag);
  decorate(node, attributes);
  add(node, children);
  return node;
}

function decorate(node, attributes) {
  for (const [key, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (key === "value" || key === "checked" || key === "selected" || key === "disabled") node[key] = value;
    else if (key === "title" || key === "aria-label") node.setAttribute(key, visible(value, 500));
    else node.setAttribute(key, value === true ? "" : String(value));
  }
}

function add(node, children) {
  for (const child of children) {
    if (child === null || child === undefined || child === false || child === "") continue;
    if (Array.isArray(child)) add(node, child);
    else if (child instanceof Node) node.appendChild(child);
    else node.appendChild(document.createTextNode(visible(child)));
  }
}

function clear(node) {
  while (node.firstChild) node.removeChild(node.firstChild);
  return node;
}

// 12,345; counts may be decimal strings of any length.
function number(value) {
  const digits = String(value);
  if (!/^\d+$/.test(digits)) return digits;
  if (digits.length > 24) return digits[0] + "." + digits.slice(1, 3) + "e" + (digits.length - 1);
  return digits.replace(/\B(?=(\d{3})+$)/g, ",");
}

function plural(count, one, many) {
  return number(count) + " " + (String(count) === "1" ? one : many);
}

function option(value, text, chosen) {
  return make("option", { value, selected: value === chosen }, text);
}

function select(label, options, chosen, changed) {
  const list = make("select", { "aria-label": label, onchange: (event) => changed(event.target.value) });
  add(list, options.map(([value, text]) => option(value, text, chosen)));
  list.value = chosen;
  return make("label.field", null, make("span", null, label), list);
}

function button(text, title, pressed, action) {
  return make("button", { type: "button", title, "aria-label": title, "aria-pressed": pressed === null ? null : String(pressed), onclick: action }, text);
}

// A table with a heading: columns are {title, class}, rows are arrays of nodes or texts.
function table(columns, rows, attributes) {
  const head = columns.map((column) => make("th" + (column.class ? "." + column.class : ""), { scope: "col", title: column.hint }, column.title));
  const body = rows.map((row) => make("tr", row.attributes, row.map((cell, at) => make("td" + (columns[at].class ? "." + columns[at].class : ""), null, cell))));
  return make("div.scroll", null, make("table", attributes, make("thead", null, make("tr", null, head)), make("tbody", null, body)));
}
