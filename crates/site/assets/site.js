// The search of the site, which knows the index that search-index.js has loaded and needs no server, and the list of pages.
(function () {
  "use strict";

  var MOST = 50;
  var form = document.querySelector("form.search");
  var input = document.getElementById("search");
  var results = document.getElementById("results");
  var status = document.getElementById("status");
  var root = document.body.getAttribute("data-root") || "";
  var active = -1;

  // What a search looks at, in lower case.
  var entries = (window.searchIndex || []).map(function (entry) {
    var name = entry[1].toLowerCase();
    return {
      kind: entry[0], name: entry[1], page: entry[2], summary: entry[3], parameters: entry[4],
      lower: name, last: name.split("::").pop(), text: entry[3].toLowerCase()
    };
  });

  // How well an entry fits a word: less is better, and -1 is not at all.
  function rank(entry, word) {
    if (entry.lower === word) return 0;
    if (entry.last === word) return 1;
    if (entry.lower.indexOf(word) === 0) return 2;
    if (entry.last.indexOf(word) === 0) return 3;
    if (entry.lower.indexOf(word) >= 0) return 4;
    if (parameter(entry, word)) return 5;
    return entry.text.indexOf(word) >= 0 ? 6 : -1;
  }

  function parameter(entry, word) {
    var named = entry.parameters.filter(function (name) { return name.toLowerCase().indexOf(word) === 0; });
    return named.length > 0 ? named[0] : null;
  }

  function find(text) {
    var words = text.toLowerCase().split(/\s+/).filter(Boolean);
    var found = [];
    if (words.length === 0) return found;
    entries.forEach(function (entry) {
      var ranks = words.map(function (word) { return rank(entry, word); });
      if (ranks.indexOf(-1) >= 0) return;
      var named = ranks.indexOf(5) >= 0 ? parameter(entry, words[ranks.indexOf(5)]) : null;
      found.push({ entry: entry, rank: Math.max.apply(null, ranks), parameter: named });
    });
    found.sort(function (a, b) {
      return a.rank - b.rank || a.entry.name.length - b.entry.name.length || (a.entry.name < b.entry.name ? -1 : 1);
    });
    return found;
  }

  function element(tag, name, text) {
    var made = document.createElement(tag);
    if (name) made.className = name;
    if (text) made.textContent = text;
    return made;
  }

  function option(hit, index) {
    var link = element("a", "result");
    link.id = "result-" + index;
    link.href = root + hit.entry.page;
    link.setAttribute("role", "option");
    link.setAttribute("aria-selected", "false");
    link.tabIndex = -1;
    var line = element("span", "line");
    line.appendChild(element("span", "name", hit.entry.name));
    line.appendChild(element("span", "kind", hit.entry.kind));
    link.appendChild(line);
    var told = hit.parameter ? "has " + hit.parameter : hit.entry.summary;
    if (told) link.appendChild(element("span", "summary", told));
    return link;
  }

  function show() {
    var text = input.value.trim();
    var found = find(text);
    results.textContent = "";
    found.slice(0, MOST).forEach(function (hit, index) { results.appendChild(option(hit, index)); });
    if (text && found.length === 0) results.appendChild(element("p", "none", "Nothing found for “" + text + "”."));
    if (found.length > MOST) results.appendChild(element("p", "none", (found.length - MOST) + " more: say more of it."));
    status.textContent = text ? found.length + (found.length === 1 ? " result" : " results") : "";
    open(text !== "");
    choose(found.length > 0 ? 0 : -1);
  }

  function open(isOpen) {
    results.hidden = !isOpen;
    input.setAttribute("aria-expanded", String(isOpen));
  }

  function choose(index) {
    var options = results.querySelectorAll("[role=option]");
    if (options[active]) options[active].setAttribute("aria-selected", "false");
    active = options.length === 0 ? -1 : (index + options.length) % options.length;
    var chosen = options[active];
    if (!chosen) {
      input.removeAttribute("aria-activedescendant");
      return;
    }
    chosen.setAttribute("aria-selected", "true");
    input.setAttribute("aria-activedescendant", chosen.id);
    if (chosen.scrollIntoView) chosen.scrollIntoView({ block: "nearest" });
  }

  input.addEventListener("input", show);
  input.addEventListener("focus", function () { if (input.value.trim()) open(true); });
  input.addEventListener("keydown", function (event) {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      if (results.hidden) show(); else choose(active + (event.key === "ArrowDown" ? 1 : -1));
      event.preventDefault();
    } else if (event.key === "Escape") {
      if (results.hidden) input.value = ""; else open(false);
      event.preventDefault();
    }
  });
  form.addEventListener("submit", function (event) {
    var chosen = results.querySelector("[aria-selected=true]");
    event.preventDefault();
    if (chosen && !results.hidden) window.location.href = chosen.href; else show();
  });
  document.addEventListener("keydown", function (event) {
    var typing = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
    if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      input.focus();
      input.select();
    }
  });
  document.addEventListener("click", function (event) { if (!form.contains(event.target)) open(false); });
  form.addEventListener("focusout", function (event) {
    if (event.relatedTarget && !form.contains(event.relatedTarget)) open(false);
  });

  // The list beside the page begins where the page is.
  var side = document.querySelector(".side");
  var here = side && side.querySelector("[aria-current=page]");
  if (here && side.scrollHeight > side.clientHeight) side.scrollTop = here.offsetTop - side.clientHeight / 3;

  form.hidden = false;
  var asked = new URLSearchParams(window.location.search).get("q");
  if (asked) {
    input.value = asked;
    show();
    input.focus();
  }
})();
