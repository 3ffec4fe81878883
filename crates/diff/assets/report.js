// Search, filters and links of the report. Without it, everything is there and can be unfolded.
(() => {
  "use strict";

  // How many groups a search unfolds, and how many hits are marked.
  const UNFOLDED = 20;
  const MARKED = 2000;

  const form = document.querySelector("form.tools");
  const input = document.getElementById("search");
  const type = document.getElementById("type");
  const status = document.getElementById("status");
  const none = document.getElementById("none");
  const buttons = [...form.querySelectorAll("[data-kind]")];
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];

  const lower = (elements) => elements.map((element) => element.textContent).join("\n").toLowerCase();
  // A text that is looked at when it is first needed: most of a long report never is.
  const later = (make) => {
    let made = null;
    return () => (made ??= make());
  };
  const items = (group) => all(".item", group).map((element) => ({
    element,
    kind: element.dataset.kind,
    types: element.dataset.types.split("|"),
    text: later(() => element.textContent.toLowerCase()),
  }));
  const groups = all(".group").map((element) => ({
    element,
    items: items(element),
    sections: all("section.kind", element),
    names: later(() => lower(all(".names", element))),
    nodes: element.querySelector("details.nodes"),
  }));
  const failures = all(".failure").map((element) => ({ element, text: later(() => element.textContent.toLowerCase()) }));
  const unchanged = document.getElementById("unchanged");
  const unchangedText = later(() => lower(all(".names", unchanged)));
  const total = groups.reduce((sum, group) => sum + group.items.length, 0);

  const types = new Map();
  for (const group of groups) {
    for (const item of group.items) {
      for (const name of new Set(item.types)) types.set(name, (types.get(name) ?? 0) + 1);
    }
  }
  for (const [name, count] of [...types].sort(([a], [b]) => (a < b ? -1 : 1))) {
    type.append(new Option(`${name} (${count})`, name));
  }

  const number = (count) => count.toLocaleString("en");
  const state = () => ({
    words: input.value.toLowerCase().split(/\s+/).filter(Boolean),
    kinds: buttons.filter((button) => button.getAttribute("aria-pressed") === "true").map((button) => button.dataset.kind),
    type: type.value,
  });

  // Shows what fits. Words may be about the nodes of a group; all others are to be in one difference.
  function apply() {
    const asked = state();
    const isAsked = asked.words.length > 0 || asked.kinds.length > 0 || asked.type !== "";
    let shownGroups = 0;
    let shownItems = 0;
    for (const group of groups) {
      const words = asked.words.filter((word) => !group.names().includes(word));
      let shown = 0;
      for (const item of group.items) {
        const fits = (asked.kinds.length === 0 || asked.kinds.includes(item.kind)) &&
          (asked.type === "" || item.types.includes(asked.type)) && words.every((word) => item.text().includes(word));
        item.element.hidden = !fits;
        if (fits) shown += 1;
      }
      group.element.hidden = shown === 0 && isAsked;
      for (const section of group.sections) section.hidden = isAsked && !section.querySelector(".item:not([hidden])");
      if (shown > 0) shownGroups += 1;
      shownItems += shown;
      if (shown > 0 && asked.words.length > 0 && shownGroups <= UNFOLDED) unfold(group, words, asked.words);
    }
    const isOther = asked.type !== "" || asked.kinds.some((kind) => kind !== "failed");
    for (const failure of failures) {
      failure.element.hidden = isOther && !asked.kinds.includes("failed") || !asked.words.every((word) => failure.text().includes(word));
    }
    const failed = document.getElementById("failures");
    if (failed) failed.hidden = failures.every((failure) => failure.element.hidden);
    const isSame = asked.kinds.length === 0 && asked.type === "";
    if (unchanged) unchanged.hidden = !isSame || !asked.words.every((word) => unchangedText().includes(word));
    none.hidden = !isAsked || shownItems > 0 || (failed && !failed.hidden) || (unchanged && !unchanged.hidden);
    status.textContent = isAsked ?
      `${number(shownItems)} of ${number(total)} differences in ${number(shownGroups)} of ${number(groups.length)} groups` : "";
    mark(asked.words);
  }

  function unfold(group, words, asked) {
    group.element.open = true;
    if (group.nodes && asked.length > words.length) group.nodes.open = true;
    for (const item of group.items) {
      if (!item.element.hidden && item.element.tagName === "DETAILS" && words.length > 0) item.element.open = true;
    }
  }

  // Marks words where they are found, in browsers that can do so without changing the document.
  function mark(words) {
    if (!globalThis.Highlight || !CSS.highlights) return;
    const ranges = [];
    const found = words.length === 0 ? [] : all(".group[open]:not([hidden]), .failure:not([hidden]), #unchanged:not([hidden])");
    for (const element of found) {
      const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      while (ranges.length < MARKED && texts.nextNode()) {
        const text = texts.currentNode.textContent.toLowerCase();
        for (const word of words) {
          for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
            // Letters may be longer in lower case.
            if (at + word.length > texts.currentNode.length) break;
            const range = new Range();
            range.setStart(texts.currentNode, at);
            range.setEnd(texts.currentNode, at + word.length);
            ranges.push(range);
          }
        }
      }
    }
    CSS.highlights.set("search", new Highlight(...ranges));
  }

  // What is asked is in the address, so that it can be sent to others.
  function remember() {
    const asked = new URLSearchParams();
    if (input.value.trim()) asked.set("q", input.value.trim());
    const { kinds } = state();
    if (kinds.length > 0) asked.set("kind", kinds.join(","));
    if (type.value) asked.set("type", type.value);
    const text = asked.toString();
    history.replaceState(null, "", text ? `#${text}` : location.pathname + location.search);
  }

  function restore() {
    const hash = location.hash.slice(1);
    const group = hash.startsWith("group-") ? document.getElementById(hash) : null;
    const asked = new URLSearchParams(group ? "" : hash);
    const kinds = (asked.get("kind") ?? "").split(",");
    input.value = asked.get("q") ?? "";
    type.value = asked.get("type") ?? "";
    if (type.selectedIndex < 0) type.value = "";
    for (const button of buttons) button.setAttribute("aria-pressed", String(kinds.includes(button.dataset.kind)));
    apply();
    if (group) {
      group.open = true;
      group.scrollIntoView();
    }
  }

  let timer = 0;
  const changed = () => {
    remember();
    apply();
  };
  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(changed, total > 500 ? 200 : 0);
  });
  input.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      input.value = "";
      changed();
    }
  });
  type.addEventListener("change", changed);
  for (const button of buttons) {
    button.addEventListener("click", () => {
      button.setAttribute("aria-pressed", String(button.getAttribute("aria-pressed") !== "true"));
      changed();
    });
  }
  const fold = (open) => {
    for (const group of groups.filter(({ element }) => !element.hidden)) {
      group.element.open = open;
      if (!open) continue;
      for (const item of group.items) if (item.element.tagName === "DETAILS") item.element.open = true;
    }
    mark(state().words);
  };
  document.getElementById("unfold").addEventListener("click", () => fold(true));
  document.getElementById("fold").addEventListener("click", () => fold(false));
  form.addEventListener("submit", (event) => event.preventDefault());
  document.addEventListener("keydown", (event) => {
    const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
    if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    input.focus();
    input.select();
  });
  for (const link of all("a.link")) {
    link.addEventListener("click", async (event) => {
      const address = new URL(link.getAttribute("href"), location.href.split("#")[0]).href;
      try {
        await navigator.clipboard.writeText(address);
        status.textContent = "The link was copied.";
      } catch {
        status.textContent = "The address of this page now leads to the group.";
      }
    });
  }
  addEventListener("hashchange", restore);
  form.hidden = false;
  restore();
})();
