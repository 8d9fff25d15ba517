(function () {
  "use strict";
  // Findings: links to them open what they are in, keys go from one to the next, and each can be copied.
  function list(selector, within) { return Array.prototype.slice.call((within || document).querySelectorAll(selector)); }
  function open(e) {
    for (var d = e.parentElement && e.parentElement.closest("details"); d; d = d.parentElement.closest("details")) d.open = true;
    if (e.matches("details")) e.open = true;
  }
  function go(id) {
    var e = id && document.getElementById(id);
    if (!e) return;
    open(e);
    e.scrollIntoView();
    at(e);
  }
  function at(e) {
    list(".current").forEach(function (c) { c.classList.remove("current"); });
    e.classList.add("current");
  }
  window.addEventListener("hashchange", function () { go(decodeURIComponent(location.hash.slice(1))); });
  document.addEventListener("click", function (e) {
    var a = e.target.closest && e.target.closest('a[href^="#"]');
    if (a) go(a.getAttribute("href").slice(1)); // also where the address has it already
  });
  go(decodeURIComponent(location.hash.slice(1)));

  function step(by) {
    var all = list("section[data-code], .brief li").filter(function (e) { return !e.hidden && !e.closest("[hidden]"); });
    if (!all.length) return;
    var i = all.findIndex(function (e) { return e.classList.contains("current"); });
    i = i < 0 ? (by > 0 ? 0 : all.length - 1) : Math.min(all.length - 1, Math.max(0, i + by));
    history.replaceState(null, "", "#" + all[i].id);
    go(all[i].id);
  }
  function writing() {
    var e = document.activeElement;
    return e && /^(INPUT|SELECT|TEXTAREA)$/.test(e.tagName) || e && e.closest && e.closest(".scroller");
  }
  document.addEventListener("keydown", function (e) {
    if (e.ctrlKey || e.metaKey || e.altKey || writing()) return;
    var input = document.querySelector(".find input");
    switch (e.key) {
      case "/": if (input) { e.preventDefault(); input.focus(); } break;
      case "j": step(1); break;
      case "k": step(-1); break;
      case "c": var b = document.querySelector(".current .copy"); if (b) b.click(); break;
    }
  });

  // A finding as Markdown.
  function words(e) { return (e ? e.innerText || e.textContent : "").replace(/\s+/g, " ").trim(); }
  function cell(e) {
    var copy = e.cloneNode(true);
    list("details", copy).forEach(function (d) { d.remove(); });
    list(".args, .state, .at, small", copy).forEach(function (s) { s.insertAdjacentText("beforebegin", " "); });
    return copy.textContent.replace(/\s+/g, " ").trim().replace(/\|/g, "\\|");
  }
  function row(cells) { return "| " + cells.join(" | ") + " |"; }
  function markdown(s) {
    var kind = s.querySelector(".kind").cloneNode(true);
    list("a, button", kind).forEach(function (e) { e.remove(); });
    var out = ["### " + words(s.querySelector("h1")), "", words(kind), ""];
    list(":scope > .hint, :scope > .note", s).forEach(function (p) { out.push("- " + words(p)); });
    list(":scope > .steps > li", s).forEach(function (l, i) { out.push((i + 1) + ". " + words(l)); });
    list("table.ranks", s).forEach(function (t) {
      var heads = list("thead th", t).map(cell);
      out.push("", row(heads), row(heads.map(function () { return "---"; })));
      list("tbody tr", t).forEach(function (r) { out.push(row(Array.prototype.map.call(r.cells, cell))); });
    });
    list(".source", s).forEach(function (f) {
      if (f.closest(".doc")) return;
      out.push("", "`" + words(f.querySelector(".file")) + "`", "", "```", list(".line", f).map(function (l) {
        return l.querySelector(".number").textContent + (l.classList.contains("marked") ? " > " : "   ") + l.querySelector(".text").textContent;
      }).join("\n"), "```");
    });
    return out.join("\n") + "\n";
  }
  function copied(text, done) {
    function other() { // where a page from a file may not use the clipboard otherwise
      var area = document.createElement("textarea");
      area.value = text;
      document.body.appendChild(area);
      area.select();
      var did = document.execCommand("copy");
      area.remove();
      done(did);
    }
    if (!navigator.clipboard) return other();
    navigator.clipboard.writeText(text).then(function () { done(true); }, other);
  }
  list("section[data-code]").forEach(function (s) {
    var button = document.createElement("button");
    button.type = "button";
    button.className = "toggle copy";
    button.textContent = "Copy as Markdown";
    button.addEventListener("click", function () {
      copied(markdown(s), function (did) {
        button.textContent = did ? "Copied" : "Not copied: the browser does not allow it";
        setTimeout(function () { button.textContent = "Copy as Markdown"; }, 2000);
      });
    });
    s.querySelector(".kind").appendChild(button);
  });
})();
