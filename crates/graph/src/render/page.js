// Fits the graph into the window, moves and zooms it, folds containers and finds nodes. Without it, the whole graph is there.
(() => {
  "use strict";

  const main = document.querySelector("main"), svg = main.querySelector("svg");
  const byId = (id) => document.getElementById(id);
  const GAP = 18, ROW_GAP = 36, PADDING = 14, TITLE = 24, MARGIN = 16, LETTER = 7.3, LARGEST = 8;
  // A graph with more nodes begins folded: as a whole, it would be too small to read.
  const UNFOLDED = 300;

  // Nodes by number: elements, container, contents, and the place in the drawing.
  const nodes = new Map();
  for (const element of svg.querySelectorAll(".pfg-node")) {
    const number = element.dataset.node;
    const node = nodes.get(number) ?? { number, elements: [], outer: element.dataset.in, inner: [], isFolded: false };
    node.elements.push(element);
    const rect = element.querySelector("rect");
    if (rect) {
      node.rect = rect;
      node.drawn = Object.fromEntries(["x", "y", "width", "height"].map((name) => [name, Number(rect.getAttribute(name))]));
    }
    if (element.classList.contains("pfg-label")) node.label = element;
    nodes.set(number, node);
  }
  for (const node of nodes.values()) nodes.get(node.outer)?.inner.push(node);
  const roots = [...nodes.values()].filter((node) => !nodes.has(node.outer));
  const name = (node) => node.elements[0].querySelector("title").textContent;
  const edges = [...svg.querySelectorAll(".pfg-edge")].filter((element) => element.dataset.from).map((element) => ({
    element,
    from: nodes.get(element.dataset.from),
    to: nodes.get(element.dataset.to),
    line: element.querySelector("path"),
    head: element.querySelector(".pfg-head"),
  }));
  for (const edge of edges) {
    edge.drawn = edge.line.getAttribute("d");
    edge.drawnHead = edge.head?.getAttribute("d");
  }
  const [, , width, height] = svg.getAttribute("viewBox").split(" ").map(Number);

  const outer = (node) => nodes.get(node.outer);
  const labelWidth = (node) => node.label.querySelector("text").textContent.length * LETTER + 18;
  const isFoldable = (node) => node.label !== undefined && !name(node).startsWith("Stage[");
  // The outermost folded container of a node, or the node itself.
  function seen(node) {
    let found = node;
    for (let next = node; next; next = outer(next)) if (next.isFolded) found = next;
    return found;
  }

  // Lays out the contents of a container again if something within is folded, and moves them as a whole otherwise.
  function arrange(node) {
    if (node.isFolded) {
      node.size = { width: labelWidth(node), height: 26 };
      node.isWhole = false;
      return;
    }
    for (const inner of node.inner) arrange(inner);
    node.isWhole = node.inner.every((inner) => inner.isWhole);
    if (node.isWhole) {
      node.size = { width: node.drawn.width, height: node.drawn.height };
    } else {
      const size = place(node.inner, (inner) => inner);
      node.size = { width: Math.max(size.width + 2 * PADDING, labelWidth(node)), height: size.height + TITLE + PADDING };
    }
  }

  // Places boxes: connected ones in ranks from top to bottom, and these groups in rows.
  function place(boxes) {
    const groups = connected(boxes);
    for (const group of groups) rank(group);
    const area = groups.reduce((sum, { size }) => sum + (size.width + GAP) * (size.height + GAP), 0);
    const widest = Math.max(Math.sqrt(area * 1.8), ...groups.map(({ size }) => size.width));
    let x = 0, y = 0, row = 0;
    const whole = { width: 0, height: 0 };
    for (const { size, boxes: members } of groups) {
      if (x > 0 && x + size.width > widest) {
        y += row + GAP;
        x = row = 0;
      }
      for (const box of members) box.at = { x: box.at.x + x, y: box.at.y + y };
      row = Math.max(row, size.height);
      whole.width = Math.max(whole.width, x + size.width);
      whole.height = Math.max(whole.height, y + size.height);
      x += size.width + GAP;
    }
    return whole;
  }

  function connected(boxes) {
    const level = new Set(boxes);
    const within = (node) => {
      for (let next = node; next; next = outer(next)) if (level.has(next)) return next;
      return null;
    };
    const after = new Map(boxes.map((box) => [box, new Set()]));
    const near = new Map(boxes.map((box) => [box, new Set()]));
    for (const box of boxes) {
      for (const edge of box.leaving ?? []) {
        const to = within(edge.to);
        if (!to || to === box) continue;
        after.get(box).add(to);
        near.get(box).add(to);
        near.get(to).add(box);
      }
    }
    const groups = [], known = new Set();
    for (const box of boxes) {
      if (known.has(box)) continue;
      const members = [box];
      known.add(box);
      for (const member of members) {
        for (const other of near.get(member)) {
          if (!known.has(other)) {
            known.add(other);
            members.push(other);
          }
        }
      }
      groups.push({ boxes: members, after });
    }
    return groups;
  }

  // Each box comes below all boxes that lead to it, except around cycles.
  function rank(group) {
    const before = new Map(group.boxes.map((box) => [box, 0]));
    for (const box of group.boxes) for (const next of group.after.get(box)) before.set(next, before.get(next) + 1);
    const ranks = new Map(), left = new Set(group.boxes);
    let ready = group.boxes.filter((box) => before.get(box) === 0);
    while (left.size > 0) {
      if (ready.length === 0) ready = [left.values().next().value];
      const [box] = ready.splice(0, 1);
      if (!left.delete(box)) continue;
      if (!ranks.has(box)) ranks.set(box, 0);
      for (const next of group.after.get(box)) {
        if (!left.has(next)) continue;
        ranks.set(next, Math.max(ranks.get(next) ?? 0, ranks.get(box) + 1));
        before.set(next, before.get(next) - 1);
        if (before.get(next) === 0) ready.push(next);
      }
    }
    const rows = [];
    for (const box of group.boxes) (rows[ranks.get(box)] ??= []).push(box);
    const area = group.boxes.reduce((sum, { size }) => sum + (size.width + GAP) * (size.height + ROW_GAP), 0);
    const widest = Math.max(Math.sqrt(area * 3), ...group.boxes.map(({ size }) => size.width));
    group.size = { width: 0, height: -ROW_GAP };
    const lines = [];
    for (const row of rows.filter(Boolean)) {
      row.sort((a, b) => a.drawn.x - b.drawn.x);
      let line = [], used = 0;
      for (const box of row) {
        if (used > 0 && used + box.size.width > widest) {
          lines.push({ line, used: used - GAP });
          line = [];
          used = 0;
        }
        line.push(box);
        used += box.size.width + GAP;
      }
      lines.push({ line, used: used - GAP });
    }
    for (const { used } of lines) group.size.width = Math.max(group.size.width, used);
    for (const { line, used } of lines) {
      group.size.height += ROW_GAP;
      let x = (group.size.width - used) / 2;
      for (const box of line) {
        box.at = { x, y: group.size.height };
        x += box.size.width + GAP;
      }
      group.size.height += Math.max(...line.map(({ size }) => size.height));
    }
  }

  const move = (element, { x, y }) => (x || y ? element.setAttribute("transform", `translate(${x} ${y})`) : element.removeAttribute("transform"));

  // Draws nodes where they were placed. The contents of a whole container keep their places in it.
  function draw(node, at, isHidden) {
    node.now = { x: at.x, y: at.y, ...node.size };
    node.shift = { x: at.x - node.drawn.x, y: at.y - node.drawn.y };
    node.isHidden = isHidden;
    for (const element of node.elements) {
      element.classList.toggle("pfg-gone", isHidden);
      element.classList.toggle("pfg-folded", node.isFolded);
      move(element, node.shift);
    }
    node.rect.setAttribute("width", node.size.width);
    node.rect.setAttribute("height", node.size.height);
    if (node.label) {
      node.label.setAttribute("aria-expanded", String(!node.isFolded));
      node.label.querySelector("tspan").textContent = node.isFolded ? "▸" : "▾";
    }
    for (const inner of node.inner) {
      if (isHidden || node.isFolded) {
        inner.size ??= { width: inner.drawn.width, height: inner.drawn.height };
        draw(inner, { x: at.x, y: at.y }, true);
      } else if (node.isWhole) {
        draw(inner, { x: inner.drawn.x + node.shift.x, y: inner.drawn.y + node.shift.y }, false);
      } else {
        draw(inner, { x: at.x + PADDING + inner.at.x, y: at.y + TITLE + inner.at.y }, false);
      }
    }
  }

  // An edge keeps its course if both ends moved alike, and leads straight between the visible containers otherwise.
  function route(edge) {
    const from = seen(edge.from), to = seen(edge.to);
    const isInside = from === to || isAround(from, to) || isAround(to, from);
    const isAlike = from === edge.from && to === edge.to && from.shift.x === to.shift.x && from.shift.y === to.shift.y && from.sharesBlock === to.sharesBlock;
    edge.element.classList.toggle("pfg-gone", !isAlike && isInside);
    if (isAlike) {
      edge.line.setAttribute("d", edge.drawn);
      edge.head?.setAttribute("d", edge.drawnHead);
      move(edge.element, from.shift);
      return;
    }
    move(edge.element, { x: 0, y: 0 });
    const isDown = to.now.y >= from.now.y + from.now.height || from.now.y < to.now.y + to.now.height;
    const start = { x: from.now.x + from.now.width / 2, y: from.now.y + (isDown ? from.now.height : 0) };
    const end = { x: to.now.x + to.now.width / 2, y: to.now.y + (isDown ? 0 : to.now.height) };
    const way = isDown ? 1 : -1, bend = Math.max(20, Math.abs(end.y - start.y) / 2) * way, tip = edge.head ? 7 * way : 0;
    edge.line.setAttribute("d", `M${start.x} ${start.y}C${start.x} ${start.y + bend} ${end.x} ${end.y - bend} ${end.x} ${end.y - tip}`);
    edge.head?.setAttribute("d", `M${end.x} ${end.y}L${end.x - 3.5} ${end.y - 8 * way}L${end.x + 3.5} ${end.y - 8 * way}Z`);
  }

  function isAround(container, node) {
    for (let next = outer(node); next; next = outer(next)) if (next === container) return true;
    return false;
  }

  let size = { width, height };
  // What keeps its place together: all below the outermost container in which nothing is folded.
  function share(node, block) {
    node.sharesBlock = block ?? (node.isWhole ? node : null);
    for (const inner of node.inner) share(inner, node.sharesBlock);
  }

  function update() {
    for (const root of roots) arrange(root);
    const isWhole = roots.every((root) => root.isWhole);
    if (isWhole) {
      size = { width, height };
      for (const root of roots) draw(root, root.drawn, false);
      for (const root of roots) share(root, roots);
    } else {
      const whole = place(roots);
      size = { width: whole.width + 2 * MARGIN, height: whole.height + 2 * MARGIN };
      for (const root of roots) draw(root, root.at, false);
      for (const root of roots) share(root, null);
    }
    const shown = new Set();
    for (const edge of edges) {
      route(edge);
      // One arrow of a kind between two folded containers is enough.
      const key = [seen(edge.from).number, seen(edge.to).number, edge.element.getAttribute("class")].join();
      if (seen(edge.from) !== edge.from || seen(edge.to) !== edge.to) edge.element.classList.toggle("pfg-gone", shown.has(key) || edge.element.classList.contains("pfg-gone"));
      shown.add(key);
    }
  }

  for (const edge of edges) {
    for (let node = edge.from; node; node = outer(node)) (node.leaving ??= []).push(edge);
  }

  // The view: the part of the drawing that the window shows.
  let view = null;
  let isDue = false;
  function show(next) {
    view = next;
    if (isDue) return;
    isDue = true;
    requestAnimationFrame(() => {
      isDue = false;
      svg.setAttribute("viewBox", `${view.x} ${view.y} ${view.width} ${view.height}`);
    });
  }
  function fit() {
    const { clientWidth, clientHeight } = main;
    // A small graph is not blown up.
    const scale = Math.min(clientWidth / size.width, clientHeight / size.height, 1.5) || 1;
    const shown = { width: clientWidth / scale, height: clientHeight / scale };
    show({ ...shown, x: (size.width - shown.width) / 2, y: (size.height - shown.height) / 2 });
  }
  function zoom(factor, x = main.clientWidth / 2, y = main.clientHeight / 2) {
    const scale = main.clientWidth / view.width;
    const next = Math.min(LARGEST, Math.max(0.01, scale * factor));
    const at = { x: view.x + x / scale, y: view.y + y / scale };
    show({ x: at.x - x / next, y: at.y - y / next, width: main.clientWidth / next, height: main.clientHeight / next });
  }
  function pan(x, y) {
    const scale = main.clientWidth / view.width;
    show({ ...view, x: view.x - x / scale, y: view.y - y / scale });
  }
  function centre(node) {
    const scale = Math.max(main.clientWidth / view.width, 0.8);
    const shown = { width: main.clientWidth / scale, height: main.clientHeight / scale };
    const x = MARGIN + node.now.x + Math.min(node.now.width, shown.width) / 2, y = MARGIN + node.now.y + Math.min(node.now.height, shown.height) / 2;
    show({ ...shown, x: x - shown.width / 2, y: y - shown.height / 2 });
  }

  // Folds or unfolds a container, which stays where it is in the window.
  function toggle(node) {
    const scale = main.clientWidth / view.width, before = node.now;
    node.isFolded = !node.isFolded;
    update();
    show({ ...view, x: view.x + node.now.x - before.x, y: view.y + node.now.y - before.y, width: main.clientWidth / scale, height: main.clientHeight / scale });
  }
  function foldAll(isFolded) {
    for (const node of nodes.values()) if (node.label) node.isFolded = isFolded && isFoldable(node);
    update();
    fit();
  }

  // Finding: all matches are marked, one is the current one.
  let matches = [], current = -1;
  function find() {
    const text = byId("find").value.trim().toLowerCase();
    matches = text === "" ? [] : [...nodes.values()].filter((node) => name(node).toLowerCase().includes(text));
    const marked = new Set(matches);
    for (const node of nodes.values()) for (const element of node.elements) element.classList.toggle("found", marked.has(node));
    current = -1;
    step(1);
  }
  function step(by) {
    for (const element of svg.querySelectorAll(".current")) element.classList.remove("current");
    const none = byId("find").value.trim() === "" ? "" : "none";
    if (matches.length > 0) {
      current = (current + by + matches.length) % matches.length;
      const node = matches[current];
      let isHidden = false;
      for (let next = outer(node); next; next = outer(next)) {
        isHidden ||= next.isFolded;
        next.isFolded = false;
      }
      if (isHidden) update();
      for (const element of node.elements) element.classList.add("current");
      centre(node);
    }
    byId("found").textContent = matches.length > 0 ? `${current + 1} of ${matches.length}` : none;
    byId("next").disabled = byId("previous").disabled = matches.length < 2;
  }

  main.addEventListener("wheel", (event) => {
    event.preventDefault();
    const corner = main.getBoundingClientRect();
    const lines = event.deltaMode === 1 ? 20 : 1;
    if (event.shiftKey) pan(-event.deltaY * lines, 0);
    else zoom(Math.exp(-event.deltaY * lines / 400), event.clientX - corner.left, event.clientY - corner.top);
  }, { passive: false });
  // A drag moves the graph; a press that does not move folds.
  const pressed = new Map();
  let moved = 0;
  main.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    if (pressed.size === 0) moved = 0;
    pressed.set(event.pointerId, { x: event.clientX, y: event.clientY });
  });
  addEventListener("pointermove", (event) => {
    const last = pressed.get(event.pointerId);
    if (!last) return;
    const by = { x: event.clientX - last.x, y: event.clientY - last.y };
    moved += Math.abs(by.x) + Math.abs(by.y);
    if (moved < 4) return;
    if (pressed.size === 2) {
      const [other] = [...pressed].filter(([id]) => id !== event.pointerId).map(([, at]) => at);
      const far = (a) => Math.hypot(a.x - other.x, a.y - other.y) || 1;
      const corner = main.getBoundingClientRect();
      zoom(far({ x: event.clientX, y: event.clientY }) / far(last), (event.clientX + other.x) / 2 - corner.left, (event.clientY + other.y) / 2 - corner.top);
    } else {
      pan(by.x, by.y);
    }
    main.classList.add("moving");
    pressed.set(event.pointerId, { x: event.clientX, y: event.clientY });
  });
  for (const end of ["pointerup", "pointercancel"]) {
    addEventListener(end, (event) => {
      pressed.delete(event.pointerId);
      if (pressed.size === 0) main.classList.remove("moving");
    });
  }
  for (const node of nodes.values()) {
    if (!node.label) continue;
    node.label.classList.add("pfg-foldable");
    for (const [key, value] of [["tabindex", "0"], ["role", "button"], ["aria-label", name(node).split("\n")[0]]]) node.label.setAttribute(key, value);
    node.label.querySelector("text").prepend(document.createElementNS("http://www.w3.org/2000/svg", "tspan"));
    for (const element of node.elements) {
      element.addEventListener("click", () => {
        if (moved < 4 && (element === node.label || node.isFolded)) toggle(node);
      });
    }
    node.label.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      toggle(node);
    });
  }
  const keys = {
    "+": () => zoom(1.25), "=": () => zoom(1.25), "-": () => zoom(0.8), 0: fit, f: () => foldAll(true), u: () => foldAll(false),
    n: () => step(1), N: () => step(-1), ArrowLeft: () => pan(60, 0), ArrowRight: () => pan(-60, 0), ArrowUp: () => pan(0, 60), ArrowDown: () => pan(0, -60),
    "/": () => byId("find").select(),
  };
  addEventListener("keydown", (event) => {
    if (event.target.tagName === "INPUT" || event.ctrlKey || event.metaKey || event.altKey || !keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  });
  byId("find").addEventListener("input", find);
  byId("find").addEventListener("keydown", (event) => {
    if (event.key === "Enter") step(event.shiftKey ? -1 : 1);
    if (event.key === "Escape") {
      byId("find").value = "";
      find();
    }
  });
  for (const [id, act] of [["next", () => step(1)], ["previous", () => step(-1)], ["in", () => zoom(1.25)], ["out", () => zoom(0.8)], ["fit", fit],
    ["fold", () => foldAll(true)], ["unfold", () => foldAll(false)]]) byId(id).addEventListener("click", act);
  document.querySelector(".tools").addEventListener("submit", (event) => event.preventDefault());
  addEventListener("resize", () => {
    const scale = svg.viewBox.baseVal.width ? main.clientWidth / view.width : 1;
    show({ ...view, width: main.clientWidth / scale, height: main.clientHeight / scale });
  });

  document.querySelector(".tools").hidden = false;
  main.classList.add("ready");
  svg.removeAttribute("width");
  svg.removeAttribute("height");
  byId("next").disabled = byId("previous").disabled = true;
  foldAll(nodes.size > UNFOLDED);
})();
