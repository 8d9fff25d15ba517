(function () {
  "use strict";
  // Light, dark, or what the system has. A page from a file may have no place to remember it.
  var root = document.documentElement, names = { "": "Theme: system", light: "Theme: light", dark: "Theme: dark" };
  function stored(value) {
    try {
      if (value === undefined) return localStorage.getItem("unknot-theme") || "";
      localStorage.setItem("unknot-theme", value);
    } catch (e) { /* not remembered */ }
    return "";
  }
  var theme = stored();
  if (!(theme in names)) theme = "";
  var button = document.createElement("button");
  button.type = "button";
  button.className = "toggle theme";
  function show() {
    if (theme) root.setAttribute("data-theme", theme); else root.removeAttribute("data-theme");
    button.textContent = names[theme];
  }
  button.addEventListener("click", function () {
    theme = { "": "dark", dark: "light", light: "" }[theme];
    stored(theme);
    show();
  });
  show();
  document.querySelector(".tools").appendChild(button);
})();
