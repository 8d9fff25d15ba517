(function () {
  "use strict";
  // The filters: severity, code, and words that a finding must all have, in its text, code or files; "rank 7" and "code:", "rank:", "file:" look at these alone.
  function list(selector) { return Array.prototype.slice.call(document.querySelectorAll(selector)); }
  var chapters = list("details.chapter"), items = list("section[data-code], .brief li");
  if (items.length < 2) return;
  function element(name, attributes, text) {
    var e = document.createElement(name);
    Object.keys(attributes).forEach(function (a) { e.setAttribute(a, attributes[a]); });
    if (text) e.textContent = text;
    return e;
  }
  var facts = items.map(function (e) {
    var of = e.closest("[data-code]"), code = of.getAttribute("data-code"), files = e.getAttribute("data-files") || "", doc = e.querySelector(".doc"), all = e.textContent;
    if (doc) all = all.replace(doc.textContent, " ");
    return { code: code, severity: of.getAttribute("data-severity"), files: (files || all).toLowerCase(), ranks: e.getAttribute("data-ranks"), all: (code + " " + files + " " + all).toLowerCase(), chapter: e.closest("details.chapter") };
  });
  var box = element("form", { "class": "find", role: "search" }), label = element("label", {}, "Find ");
  var input = element("input", { type: "search", placeholder: "words, code:…, rank:7, file:…", "aria-describedby": "found", "aria-label": "Find findings by words, code, rank or file" });
  var count = element("output", { id: "found", "aria-live": "polite" });
  label.appendChild(input);
  box.appendChild(label);
  var severity = choice("severity", "All severities"), code = choice("code", "All codes");
  box.appendChild(count);
  var nav = document.querySelector(".top nav");
  nav.parentNode.insertBefore(box, nav);
  function choice(field, all) {
    var values = [], select = element("select", { "aria-label": "Show only findings of a " + field });
    facts.forEach(function (f) { if (values.indexOf(f[field]) < 0) values.push(f[field]); });
    if (values.length < 2) return { value: "" };
    select.appendChild(element("option", { value: "" }, all));
    values.forEach(function (v) { select.appendChild(element("option", { value: v }, v)); });
    select.addEventListener("change", find);
    box.appendChild(select);
    return select;
  }
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
      case "code": return t.code.toLowerCase().indexOf(value) >= 0;
      case "file": return t.files.indexOf(value) >= 0;
      case "severity": return t.severity.indexOf(value) >= 0;
    }
    return t.all.indexOf(term) >= 0;
  }
  // Chapters with something that was looked for are opened, and closed again when nothing is looked for.
  var opened = [];
  function find() {
    var wanted = terms(input.value), n = 0, filtered = wanted.length > 0 || severity.value !== "" || code.value !== "", has = [];
    facts.forEach(function (f, i) {
      var shown = (!severity.value || f.severity === severity.value) && (!code.value || f.code === code.value) && wanted.every(function (term) { return fits(f, term); });
      items[i].hidden = !shown;
      if (!shown) return;
      n++;
      if (f.chapter && has.indexOf(f.chapter) < 0) has.push(f.chapter);
    });
    chapters.forEach(function (c) {
      var some = has.indexOf(c) >= 0;
      c.hidden = !some;
      if (filtered && some && !c.open) { c.open = true; opened.push(c); }
    });
    list(".briefly").forEach(function (e) { e.hidden = !e.querySelector(".brief li:not([hidden])"); });
    if (!filtered) { opened.forEach(function (c) { c.open = false; }); opened = []; }
    list("nav li[data-for]").forEach(function (e) { e.hidden = document.getElementById(e.getAttribute("data-for")).hidden; });
    count.textContent = filtered ? n + " of " + items.length + " findings" : "";
  }
  input.addEventListener("input", find);
  box.addEventListener("submit", function (e) { e.preventDefault(); });
  input.addEventListener("keydown", function (e) {
    if (e.key === "Escape") { input.value = ""; find(); }
  });
})();
