(function () {
  "use strict";
  // Tools at the head of the page; details, which all open for print; and what scrolls can be scrolled by keys.
  var tools = document.createElement("div");
  tools.className = "tools";
  document.querySelector("header.top").appendChild(tools);
  function reach() {
    Array.prototype.forEach.call(document.querySelectorAll("pre, .wide"), function (e) {
      if (e.scrollWidth > e.clientWidth + 1) e.tabIndex = 0; else e.removeAttribute("tabindex");
    });
  }
  reach();
  window.addEventListener("resize", reach);
  document.addEventListener("toggle", reach, true);
  var all = Array.prototype.slice.call(document.querySelectorAll("details"));
  if (!all.length) return;
  function set(open) { all.forEach(function (d) { d.open = open; }); }
  var button = document.createElement("button");
  button.type = "button";
  button.className = "toggle";
  function name() { button.textContent = all.some(function (d) { return !d.open; }) ? "Open all details" : "Close all details"; }
  button.addEventListener("click", function () { set(all.some(function (d) { return !d.open; })); name(); });
  all.forEach(function (d) { d.addEventListener("toggle", name); });
  name();
  tools.appendChild(button);
  var were = [];
  window.addEventListener("beforeprint", function () { were = all.map(function (d) { return d.open; }); set(true); });
  window.addEventListener("afterprint", function () { all.forEach(function (d, i) { d.open = were[i]; }); });
})();
