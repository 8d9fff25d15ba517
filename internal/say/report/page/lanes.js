(function () {
  "use strict";
  // The time line. What is seen is drawn, as there may be very many calls; the browser scrolls.
  var section = document.getElementById("lanes");
  if (!section) return;
  var data = JSON.parse(section.querySelector("template").content.textContent);
  section.querySelector(".needs-script").remove();
  var ROW = 26, NAMES = 190, TOP = 6, LEAST = 0.05, MOST = 480, PAPER = 640, SVG = "http://www.w3.org/2000/svg";

  function make(name, props, parent) {
    var e = document.createElement(name);
    Object.keys(props || {}).forEach(function (k) {
      if (k === "text") e.textContent = props[k]; else e.setAttribute(k, props[k]);
    });
    if (parent) parent.appendChild(e);
    return e;
  }
  function shape(name, props, parent) {
    var e = document.createElementNS(SVG, name);
    Object.keys(props).forEach(function (k) { e.setAttribute(k, props[k]); });
    parent.appendChild(e);
    return e;
  }

  // rows are what is drawn now, each with the thread that it shows.
  var rows = [], rowOf = [], folds = data.rows.map(function (r) { return r.threads.length > 1; }), folding = folds.some(Boolean);
  function arrange() {
    rows = [];
    rowOf = new Array(data.threads.length);
    data.rows.forEach(function (r, n) {
      if (r.threads.length > 1 && folds[n]) {
        r.threads.forEach(function (t) { rowOf[t] = rows.length; });
        rows.push({ of: n, thread: r.threads[0], who: r.who, more: r.threads.length - 1 });
        return;
      }
      r.threads.forEach(function (t) {
        rowOf[t] = rows.length;
        rows.push({ of: n, thread: t, who: data.threads[t].who, more: 0 });
      });
    });
    if (!folds.some(Boolean)) rows.sort(function (a, b) { return a.thread - b.thread; });
    rows.forEach(function (row, n) { if (!row.more) rowOf[row.thread] = n; });
  }
  arrange();

  // What leads to a bar and from it, by "thread/bar".
  var arrows = {}, group = {};
  function key(thread, bar) { return thread + "/" + bar; }
  data.messages.forEach(function (m, i) {
    [key(m[0], m[1]), key(m[2], m[3])].forEach(function (k) { (arrows[k] = arrows[k] || []).push(i); });
  });
  data.together.forEach(function (members, i) {
    members.forEach(function (m) { group[key(m[0], m[1])] = i; });
  });

  var bar = make("div", { class: "lane-tools", role: "group", "aria-label": "Time line" }, section);
  function button(text, title, does) {
    var b = make("button", { type: "button", class: "toggle", "aria-label": title, title: title, text: text }, bar);
    b.addEventListener("click", does);
    return b;
  }
  button("+", "Zoom in", function () { zoom(1.6); });
  button("−", "Zoom out", function () { zoom(1 / 1.6); });
  button("All", "Show all of it", function () { fit(); });
  button("End", "Go to the end", function () { scroller.scrollLeft = scroller.scrollWidth; });
  // Very many messages are a grey cloud, so they are left out until they are asked for, except for those of the chosen call.
  var MANY = 500, messages = null;
  var toggle = button("Messages", "Messages: draw all of them, or those of the selected call", function () {
    messages = toggle.getAttribute("aria-pressed") !== "true";
    draw();
  });
  if (!data.messages.length) toggle.hidden = true;
  if (folding) {
    var unfold = button("Unfold", "Unfold: a row for each thread", function () {
      var fold = !folds.some(Boolean);
      folds = data.rows.map(function (r) { return fold && r.threads.length > 1; });
      unfold.textContent = fold ? "Unfold" : "Fold";
      unfold.title = fold ? "Unfold: a row for each thread" : "Fold: one row for threads that do the same";
      unfold.setAttribute("aria-label", unfold.title);
      arrange();
      layOut();
    });
  }
  var key2 = make("ul", { class: "lane-key", "aria-label": "Colours" }, bar);
  [["send", "sends"], ["recv", "receives"], ["wait", "waits, tests, probes"], ["all", "collective"], ["other", "other calls"], ["left", "calls left out"], ["open", "has not returned"]].forEach(function (k) {
    var li = make("li", { class: "kind " + k[0] }, key2);
    make("span", { class: "swatch" }, li);
    li.appendChild(document.createTextNode(k[1]));
  });

  var help = make("p", { class: "soft", id: "lane-help", text: "Click a bar for its call. Arrow keys go from call to call and from row to row, Enter follows a message, Home and End go to the first and last call, + and − zoom; Ctrl and the wheel zoom, too." +
    (folding ? " Threads that made the same calls at the same places share a row, which shows the first of them; click its name to unfold it. Messages within a row are not drawn." : "") }, section);
  var scroller = make("div", { class: "scroller", tabindex: "0", role: "application", "aria-label": "Time line of the last calls", "aria-describedby": "lane-help" }, section);
  var sheet = make("div", { class: "sheet" }, scroller);
  var svg = shape("svg", { class: "plot", "aria-hidden": "true" }, sheet);
  var defs = shape("defs", {}, svg);
  ["message", "message chosen"].forEach(function (c, i) {
    var m = shape("marker", { id: "lane-tip-" + i, viewBox: "0 0 10 10", refX: 9, refY: 5, markerWidth: 7, markerHeight: 7, orient: "auto" }, defs);
    shape("path", { class: "lane-tip" + (i ? " chosen" : ""), d: "M0 1 9.5 5 0 9z" }, m);
  });
  var plot = shape("g", {}, svg), names = make("div", { class: "names" }, sheet);
  var told = make("div", { class: "told", role: "status" }, section);
  make("p", { class: "soft", text: "No call is selected." }, told);

  var scale = 1, chosen = null, due = false;
  function width() { return scroller.clientWidth - NAMES; }
  function layOut() {
    sheet.style.width = Math.ceil(NAMES + data.end * scale + 12) + "px";
    sheet.style.height = rows.length * ROW + TOP + 8 + "px";
    draw();
  }
  function redraw() {
    if (due) return;
    due = true;
    requestAnimationFrame(draw);
  }
  function fit() { scale = Math.min(MOST / 2, Math.max(LEAST, (width() - 14) / data.end)); layOut(); }
  function zoom(by, at) {
    var x = at === undefined ? width() / 2 : at, moment = (scroller.scrollLeft + x) / scale;
    scale = Math.min(MOST, Math.max(LEAST, scale * by));
    layOut();
    scroller.scrollLeft = moment * scale - x;
    draw();
  }
  function xOf(moment) { return moment * scale; }
  function yOf(row) { return TOP + row * ROW; }

  // firstAfter is the first bar of a thread that ends after a moment.
  function firstAfter(bars, moment) {
    var low = 0, high = bars.length;
    while (low < high) {
      var mid = (low + high) >> 1;
      if (bars[mid][2] > moment) high = mid; else low = mid + 1;
    }
    return low;
  }
  function words(b) {
    if (b[0] < 0) return b[3] + "×";
    return data.calls[b[0]][0].replace(/^P?MPI_/, "");
  }
  function kind(thread, i) {
    var t = data.threads[thread], b = t.bars[i], k = b[0] < 0 ? "left" : data.calls[b[0]][4];
    if (t.open && i === t.bars.length - 1) k += " open";
    return k;
  }

  function draw() {
    due = false;
    var left = scroller.scrollLeft, top = scroller.scrollTop, w = width(), h = scroller.clientHeight;
    svg.style.left = left + NAMES + "px";
    svg.style.top = top + "px";
    svg.setAttribute("width", Math.max(0, w));
    svg.setAttribute("height", h);
    plot.setAttribute("transform", "translate(" + -left + " " + -top + ")");
    plot.textContent = "";
    names.textContent = "";
    var first = Math.max(0, Math.floor((top - TOP) / ROW)), last = Math.min(rows.length - 1, Math.floor((top + h) / ROW));
    for (var r = first; r <= last; r++) drawRow(r, left / scale, (left + w) / scale);
    drawMessages(left, top, w, h);
    if (chosen) mark();
  }
  function drawRow(r, from, to) {
    var t = data.threads[rows[r].thread], bars = t.bars, y = yOf(r), g = shape("g", { class: "lane" + (t.mark ? " " + t.mark.replace(" ", "-") : "") }, plot);
    var name = make("button", { type: "button", class: "name" + (t.mark ? " " + t.mark.replace(" ", "-") : ""), tabindex: "-1" }, names);
    make("span", { text: rows[r].who }, name);
    if (t.mark || t.earlier) make("small", { text: t.mark || t.earlier }, name);
    name.title = rows[r].who + (t.mark ? ", " + t.mark : "") + (t.earlier ? ", after " + t.earlier : "") + (rows[r].more ? "; shows " + t.who : "");
    name.style.top = y + "px";
    name.addEventListener("click", function () { rowChosen(r); });
    shape("line", { class: "ground", x1: xOf(Math.max(0, from)), x2: xOf(Math.min(to, data.end)), y1: y + ROW / 2, y2: y + ROW / 2 }, g);
    var until = -1;
    for (var i = firstAfter(bars, from); i < bars.length && bars[i][1] <= to; i++) {
      var b = bars[i], x1 = xOf(b[1]), x2 = xOf(b[2]), k = kind(rows[r].thread, i);
      if (x2 < until + 1.5 && i < bars.length - 1) continue; // too narrow to be seen beside the last one
      until = x2;
      var e = shape("rect", { class: "bar " + k, x: x1 + 0.5, y: y + 3, width: Math.max(1, x2 - x1 - 1), height: ROW - 6, rx: Math.min(3, (x2 - x1) / 4), "data-thread": rows[r].thread, "data-bar": i }, g);
      e.id = "bar-" + rows[r].thread + "-" + i;
      var from2 = Math.max(x1, from * scale), room = Math.min(x2, to * scale) - from2 - 10, text = words(b);
      if (room > 22) {
        var most = Math.floor(room / 6.9);
        if (text.length > most) text = text.slice(0, Math.max(1, most - 1)) + "…";
        shape("text", { class: "bar-name " + k, x: from2 + 6, y: y + ROW / 2 + 4 }, g).textContent = text;
      }
    }
  }
  // A message is drawn between the rows of its threads, at the bars of those that the rows show.
  function ends(m) {
    var a = rows[rowOf[m[0]]], b = rows[rowOf[m[2]]];
    if (a === b || b.thread !== m[2]) return null;
    var from = data.threads[a.thread].bars[m[1]], to = data.threads[b.thread].bars[m[3]];
    if (!from || !to) return null;
    var x1 = xOf(from[1] + Math.min(0.5, (from[2] - from[1]) / 2)), x2 = xOf(to[2]) - Math.min(3, scale / 4);
    if (x2 < x1) return null;
    return { x1: x1, y1: yOf(rowOf[m[0]]) + ROW / 2, x2: x2, y2: yOf(rowOf[m[2]]) + ROW / 2 };
  }
  function drawMessages(left, top, w, h) {
    var list = [];
    data.messages.forEach(function (m, i) {
      var p = ends(m);
      if (!p || Math.max(p.x1, p.x2) < left || Math.min(p.x1, p.x2) > left + w || Math.max(p.y1, p.y2) < top || Math.min(p.y1, p.y2) > top + h) return;
      list.push({ at: p, of: i });
    });
    var all = messages === null ? list.length <= MANY : messages;
    toggle.setAttribute("aria-pressed", String(all));
    if (!all) return;
    var g = shape("g", { class: "messages" }, plot);
    list.forEach(function (a) { arrow(g, a.at, a.of, false); });
  }
  function arrow(parent, p, i, isChosen) {
    shape("path", { class: "message" + (isChosen ? " chosen" : ""), d: "M" + p.x1 + " " + p.y1 + "L" + p.x2 + " " + p.y2, "marker-end": "url(#lane-tip-" + (isChosen ? 1 : 0) + ")", "data-message": i }, parent);
  }

  function mark() {
    var g = shape("g", { class: "marks" }, plot);
    function frame(thread, i, c) {
      var r = rowOf[thread];
      if (r === undefined || rows[r].thread !== thread) return;
      var b = data.threads[thread].bars[i];
      shape("rect", { class: c, x: xOf(b[1]) - 1, y: yOf(r) + 1, width: Math.max(3, xOf(b[2]) - xOf(b[1]) + 2), height: ROW - 2, rx: 4 }, g);
    }
    var k = key(chosen.thread, chosen.bar);
    if (group[k] !== undefined) data.together[group[k]].forEach(function (m) { frame(m[0], m[1], "peer"); });
    (arrows[k] || []).forEach(function (i) {
      var m = data.messages[i], p = ends(m);
      frame(m[0], m[1], "peer");
      frame(m[2], m[3], "peer");
      if (p) arrow(g, p, i, true);
    });
    frame(chosen.thread, chosen.bar, "here");
  }

  function choose(thread, i) {
    chosen = { thread: thread, bar: i };
    reveal();
    draw();
    tell();
  }
  function reveal() {
    var b = data.threads[chosen.thread].bars[chosen.bar], x1 = xOf(b[1]), x2 = xOf(b[2]), y = yOf(rowOf[chosen.thread]), left = scroller.scrollLeft, w = width();
    if (x2 < left + 30 || x1 > left + w - 30) scroller.scrollLeft = x2 - x1 > w ? x1 - 20 : (x1 + x2 - w) / 2;
    if (y < scroller.scrollTop) scroller.scrollTop = y - TOP;
    if (y + ROW > scroller.scrollTop + scroller.clientHeight) scroller.scrollTop = y + ROW - scroller.clientHeight;
  }
  function called(thread, i) {
    var t = data.threads[thread], b = t.bars[i];
    if (b[0] < 0) return Number(b[4]).toLocaleString("en") + (b[4] === 1 ? " call that repeats" : " calls that repeat") + " those before it, " + Number(b[3]).toLocaleString("en") + (b[3] === 1 ? " time" : " times");
    var c = data.calls[b[0]];
    return c[0] + (c[1] ? " " + c[1] : "");
  }
  function place(thread, i) {
    var b = data.threads[thread].bars[i];
    return b[0] < 0 ? "" : data.calls[b[0]][2];
  }
  function tell() {
    var t = data.threads[chosen.thread], i = chosen.bar, b = t.bars[i], row = rows[rowOf[chosen.thread]];
    told.textContent = "";
    var p = make("p", {}, told);
    make("strong", { text: t.who }, p);
    p.appendChild(document.createTextNode(" · " + (i + 1) + " of " + t.bars.length + (t.earlier ? ", after " + t.earlier : "") + (row.more ? " · " + row.who + " do the same" : "")));
    p = make("p", {}, told);
    make("code", { class: "call", text: b[0] < 0 ? "" : data.calls[b[0]][0] }, p);
    p.appendChild(document.createTextNode(b[0] < 0 ? called(chosen.thread, i) : " " + data.calls[b[0]][1]));
    if (place(chosen.thread, i)) make("p", { class: "at", title: data.calls[b[0]][3], text: place(chosen.thread, i) }, told);
    if (t.open && i === t.bars.length - 1) make("p", { class: "state", text: "It has not returned from this call." }, told);
    var k = key(chosen.thread, i);
    if (group[k] !== undefined) make("p", { text: "It is one of " + data.together[group[k]].length + " calls of the same collective, which are framed." }, told);
    var list = (arrows[k] || []);
    if (!list.length) return;
    var ul = make("ul", {}, told);
    list.slice(0, 12).forEach(function (n) {
      var m = data.messages[n], out = m[0] === chosen.thread && m[1] === i, other = out ? [m[2], m[3]] : [m[0], m[1]], li = make("li", {}, ul);
      li.appendChild(document.createTextNode(out ? "a message to " : "a message from "));
      var go = make("button", { type: "button", class: "link", text: data.threads[other[0]].who + ": " + called(other[0], other[1]) + (place(other[0], other[1]) ? " at " + place(other[0], other[1]) : "") }, li);
      go.addEventListener("click", function () { follow(other); });
    });
    if (list.length > 12) make("li", { text: "and " + (list.length - 12) + " more" }, ul);
  }
  function follow(to) {
    if (rows[rowOf[to[0]]].thread !== to[0]) { folds[rows[rowOf[to[0]]].of] = false; arrange(); layOut(); }
    choose(to[0], to[1]);
    scroller.focus();
  }
  function rowChosen(r) {
    if (data.rows[rows[r].of].threads.length > 1) {
      folds[rows[r].of] = !folds[rows[r].of];
      arrange();
      layOut();
      if (chosen && rows[rowOf[chosen.thread]].thread !== chosen.thread) chosen = null;
      return;
    }
    choose(rows[r].thread, data.threads[rows[r].thread].bars.length - 1);
  }
  // overlapping is the bar of a thread at a moment, or the one before it; -1 if the thread has none.
  function overlapping(thread, moment) {
    var bars = data.threads[thread].bars;
    return Math.min(firstAfter(bars, moment), bars.length - 1);
  }
  function step(rowsBy, barsBy) {
    if (!chosen) {
      if (rows.length && data.threads[rows[0].thread].bars.length) choose(rows[0].thread, data.threads[rows[0].thread].bars.length - 1);
      return;
    }
    var t = chosen.thread, i = chosen.bar + barsBy, bars = data.threads[t].bars;
    if (rowsBy) {
      for (var r = rowOf[t] + rowsBy; r >= 0 && r < rows.length; r += rowsBy) {
        i = overlapping(rows[r].thread, bars[chosen.bar][1]);
        if (i >= 0) return choose(rows[r].thread, i);
      }
      return;
    }
    choose(t, Math.max(0, Math.min(bars.length - 1, i)));
  }
  scroller.addEventListener("keydown", function (e) {
    if (e.ctrlKey || e.metaKey || e.altKey || e.target !== scroller) return;
    var many = data.threads.length && chosen ? data.threads[chosen.thread].bars.length : 0;
    switch (e.key) {
      case "ArrowLeft": step(0, -1); break;
      case "ArrowRight": step(0, 1); break;
      case "ArrowUp": step(-1, 0); break;
      case "ArrowDown": step(1, 0); break;
      case "Home": step(0, -many); break;
      case "End": step(0, many); break;
      case "+": case "=": zoom(1.6); break;
      case "-": zoom(1 / 1.6); break;
      case "Enter":
        var list = chosen && arrows[key(chosen.thread, chosen.bar)];
        if (!list) return;
        var m = data.messages[list[0]];
        follow(m[0] === chosen.thread && m[1] === chosen.bar ? [m[2], m[3]] : [m[0], m[1]]);
        break;
      default: return;
    }
    e.preventDefault();
  });
  svg.addEventListener("click", function (e) {
    var b = e.target.closest ? e.target.closest("[data-bar]") : null;
    if (b && !dragged) choose(Number(b.getAttribute("data-thread")), Number(b.getAttribute("data-bar")));
  });
  scroller.addEventListener("wheel", function (e) {
    if (!e.ctrlKey) return;
    e.preventDefault();
    zoom(Math.exp(-e.deltaY / 300), e.clientX - scroller.getBoundingClientRect().left - NAMES);
  }, { passive: false });
  var held = null, dragged = false;
  svg.addEventListener("pointerdown", function (e) {
    if (e.button === 0 && e.pointerType === "mouse") { held = { x: e.clientX, y: e.clientY, left: scroller.scrollLeft, top: scroller.scrollTop }; dragged = false; }
  });
  window.addEventListener("pointermove", function (e) {
    if (!held) return;
    dragged = dragged || Math.abs(e.clientX - held.x) + Math.abs(e.clientY - held.y) > 4;
    if (dragged) { scroller.scrollLeft = held.left + held.x - e.clientX; scroller.scrollTop = held.top + held.y - e.clientY; }
  });
  window.addEventListener("pointerup", function () { held = null; });
  scroller.addEventListener("scroll", redraw);
  window.addEventListener("resize", layOut);

  // The same as a table, for one thread at a time.
  var table = make("details", {}, section);
  make("summary", { text: "The calls of one of the " + section.getAttribute("data-who") + " as a table" }, table);
  var label = make("label", { text: "Of " }, table), select = make("select", {}, label), holder = make("div", { class: "wide" }, table);
  data.threads.forEach(function (t, i) { make("option", { value: i, text: t.who + (t.mark ? ", " + t.mark : "") }, select); });
  function list() {
    holder.textContent = "";
    if (!table.open) return;
    var n = Number(select.value), t = data.threads[n], tb = make("table", { class: "calls" }, holder);
    make("caption", { text: "The last calls of " + t.who + (t.earlier ? ", after " + t.earlier : "") }, tb);
    var head = make("tr", {}, make("thead", {}, tb)), body = make("tbody", {}, tb);
    ["Call", "Where", "Messages"].forEach(function (h) { make("th", { scope: "col", text: h }, head); });
    t.bars.forEach(function (b, i) {
      var tr = make("tr", {}, body), k = (arrows[key(n, i)] || []);
      make("td", { text: called(n, i) + (t.open && i === t.bars.length - 1 ? " (has not returned)" : "") }, tr);
      make("td", { class: "at", text: place(n, i) }, tr);
      make("td", { text: k.slice(0, 4).map(function (j) { var m = data.messages[j]; return m[0] === n && m[1] === i ? "to " + data.threads[m[2]].who : "from " + data.threads[m[0]].who; }).join(", ") + (k.length > 4 ? ", …" : "") }, tr);
    });
  }
  select.addEventListener("change", list);
  table.addEventListener("toggle", list);

  var before;
  window.addEventListener("beforeprint", function () {
    before = { scale: scale, left: scroller.scrollLeft, top: scroller.scrollTop };
    scroller.classList.add("printed");
    scroller.style.width = PAPER + "px"; // a page is narrower, but not yet
    scale = Math.max(14, Math.min(MOST / 2, (width() - 14) / data.end)); // of what does not fit, the end
    layOut();
    scroller.scrollLeft = scroller.scrollWidth;
    draw();
  });
  window.addEventListener("afterprint", function () {
    scroller.classList.remove("printed");
    scroller.style.width = "";
    scale = before.scale;
    layOut();
    scroller.scrollLeft = before.left;
    scroller.scrollTop = before.top;
  });

  // The last call of the first that is at fault is what one looks for.
  for (var first = 0; first < rows.length && !chosen; first++) {
    var shown = data.threads[rows[first].thread];
    if (shown.mark === "at fault" && shown.bars.length) { chosen = { thread: rows[first].thread, bar: shown.bars.length - 1 }; tell(); }
  }
  fit();
  if (scale < 16) { scale = 16; layOut(); scroller.scrollLeft = scroller.scrollWidth; draw(); } // the end is what matters
})();
