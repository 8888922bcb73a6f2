// A list of which only the rows in view exist. Rows have one height; arrows, page keys, Home and End move the chosen row.

// Longer lists are not printed in full.
const PRINTED = 3000;
const lists = new Set();

class List {
  constructor(options) {
    Object.assign(this, { count: 0, chosen: -1, height: 26, overscan: 12 }, options);
    this.body = make("div.list-body", { role: "presentation" });
    this.node = make("div.list" + (this.class ? "." + this.class : ""), { tabindex: "0", role: "listbox", "aria-label": this.label }, this.body);
    this.node.addEventListener("scroll", () => this.later());
    this.node.addEventListener("keydown", (event) => this.key(event));
    this.rows = new Map();
    if (window.ResizeObserver) new ResizeObserver(() => this.later()).observe(this.node);
    lists.add(this);
  }

  // Shows so many rows, from the beginning or from where one was.
  show(count, chosen) {
    this.count = count;
    this.chosen = chosen === undefined ? -1 : chosen;
    this.body.style.height = count * this.height + "px";
    clear(this.body);
    this.rows.clear();
    if (this.chosen >= 0) this.reveal(this.chosen);
    this.paint();
  }

  later() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.paint();
    });
  }

  paint() {
    if (!this.node.isConnected || this.printing) return;
    const seen = this.node.clientHeight || 600;
    const first = Math.max(0, Math.floor(this.node.scrollTop / this.height) - this.overscan);
    const last = Math.min(this.count, Math.ceil((this.node.scrollTop + seen) / this.height) + this.overscan);
    for (const [at, node] of this.rows) {
      if (at < first || at >= last) {
        node.remove();
        this.rows.delete(at);
      }
    }
    for (let at = first; at < last; at++) {
      if (this.rows.has(at)) continue;
      const node = this.make(at);
      node.style.top = at * this.height + "px";
      this.body.appendChild(node);
      this.rows.set(at, node);
    }
    if (this.painted) this.painted(first, last);
  }

  make(at) {
    const node = this.render(at);
    node.classList.add("list-row");
    node.setAttribute("role", "option");
    node.setAttribute("aria-selected", String(at === this.chosen));
    node.addEventListener("click", (event) => {
      if (!event.target.closest("a")) this.choose(at);
    });
    return node;
  }

  choose(at, quietly) {
    if (at < 0 || at >= this.count) return;
    const before = this.rows.get(this.chosen);
    if (before) before.setAttribute("aria-selected", "false");
    this.chosen = at;
    this.reveal(at);
    this.paint();
    const now = this.rows.get(at);
    if (now) now.setAttribute("aria-selected", "true");
    if (!quietly && this.opened) this.opened(at);
  }

  reveal(at) {
    const top = at * this.height;
    const seen = this.node.clientHeight || 600;
    if (top < this.node.scrollTop || top + this.height > this.node.scrollTop + seen) {
      this.node.scrollTop = Math.max(0, top - seen / 3);
    }
  }

  key(event) {
    if (event.target !== this.node || event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor(this.node.clientHeight / this.height) - 1);
    const moves = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1, PageDown: page, PageUp: -page, Home: -this.count, End: this.count };
    const move = moves[event.key];
    if (event.key === "Enter" && this.chosen >= 0) {
      event.preventDefault();
      return this.choose(this.chosen);
    }
    if (move === undefined) return;
    event.preventDefault();
    this.choose(Math.min(this.count - 1, Math.max(0, this.chosen + move)));
  }

  // On paper there is nothing to scroll.
  print(on) {
    this.printing = false;
    if (!on) return this.show(this.count, this.chosen);
    clear(this.body);
    this.rows.clear();
    this.printing = true;
    this.body.style.height = "auto";
    for (let at = 0; at < Math.min(this.count, PRINTED); at++) this.body.appendChild(this.make(at));
    if (this.count > PRINTED) this.body.appendChild(make("p", null, "… and " + number(this.count - PRINTED) + " more rows, which are in the file"));
  }
}

window.addEventListener("beforeprint", () => lists.forEach((list) => list.node.isConnected && list.print(true)));
window.addEventListener("afterprint", () => lists.forEach((list) => list.node.isConnected && list.print(false)));
