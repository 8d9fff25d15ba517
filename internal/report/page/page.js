(function () {
  "use strict";
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
  document.querySelector("header.top").appendChild(button);
  var were = [];
  window.addEventListener("beforeprint", function () { were = all.map(function (d) { return d.open; }); set(true); });
  window.addEventListener("afterprint", function () { all.forEach(function (d, i) { d.open = were[i]; }); });
})();
