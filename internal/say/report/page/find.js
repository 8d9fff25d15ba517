(function () {
  "use strict";
  // The search: words that a finding must all have, in its text, code or files; "rank 7" and "code:", "rank:", "file:" look at these alone.
  var sections = Array.prototype.slice.call(document.querySelectorAll("section[data-code]"));
  if (sections.length < 2) return;
  var box = document.createElement("form"), label = document.createElement("label"), input = document.createElement("input"), count = document.createElement("output");
  box.className = "find";
  box.setAttribute("role", "search");
  label.textContent = "Find ";
  input.type = "search";
  input.placeholder = "words, code:…, rank:7, file:…";
  input.setAttribute("aria-describedby", "found");
  input.setAttribute("aria-label", "Find findings by words, code, rank or file");
  count.id = "found";
  count.setAttribute("aria-live", "polite");
  label.appendChild(input);
  box.appendChild(label);
  box.appendChild(count);
  var nav = document.querySelector(".top nav");
  nav.parentNode.insertBefore(box, nav);
  var texts = sections.map(function (s) {
    var code = s.getAttribute("data-code"), files = s.getAttribute("data-files"), doc = s.querySelector(".doc"), all = s.textContent;
    if (doc) all = all.replace(doc.textContent, " ");
    return { code: code.toLowerCase(), files: files.toLowerCase(), ranks: s.getAttribute("data-ranks"), all: (code + " " + files + " " + all).toLowerCase() };
  });
  function hasRank(ranks, n) {
    return ranks.split(" ").some(function (run) {
      var ends = run.split("-");
      return run !== "" && n >= Number(ends[0]) && n <= Number(ends[ends.length - 1]);
    });
  }
  function terms(query) {
    return query.toLowerCase().replace(/\b(?:rank|thread|pe)s?[ :]+(\d+)\b/g, "rank:$1").split(/\s+/).filter(Boolean);
  }
  function fits(t, term) {
    var at = term.indexOf(":"), field = at > 0 ? term.slice(0, at) : "", value = term.slice(at + 1);
    switch (field) {
      case "rank": return /^\d+$/.test(value) ? hasRank(t.ranks, Number(value)) : true;
      case "code": return t.code.indexOf(value) >= 0;
      case "file": return t.files.indexOf(value) >= 0;
    }
    return t.all.indexOf(term) >= 0;
  }
  function find() {
    var wanted = terms(input.value), n = 0;
    sections.forEach(function (s, i) {
      var shown = wanted.every(function (term) { return fits(texts[i], term); });
      if (shown) n++;
      s.hidden = !shown;
      var entry = document.querySelector('nav li[data-for="' + s.id + '"]');
      if (entry) entry.hidden = !shown;
    });
    count.textContent = wanted.length ? n + " of " + sections.length + " findings" : "";
  }
  input.addEventListener("input", find);
  box.addEventListener("submit", function (e) { e.preventDefault(); });
  document.addEventListener("keydown", function (e) {
    var at = document.activeElement;
    if (e.key === "/" && !e.ctrlKey && !e.metaKey && !e.altKey && !(at && /^(INPUT|SELECT|TEXTAREA)$/.test(at.tagName))) {
      e.preventDefault();
      input.focus();
    }
  });
  input.addEventListener("keydown", function (e) {
    if (e.key === "Escape") { input.value = ""; find(); }
  });
})();
