package report

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"unknot/internal/test/testkit"
	"unknot/internal/vocab/finding"
)

// browser is a Chromium without a window, for the pages of one test.
type browser struct {
	t   *testing.T
	ctx context.Context
	dir string
}

// startBrowser starts a browser, which ends with the test.
func startBrowser(t *testing.T) *browser {
	t.Helper()
	testkit.TakesLong(t)
	path, err := exec.LookPath("chromium")
	if err != nil {
		t.Fatalf("%v; hint: scripts/deps.sh installs what the tests need", err)
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox,
		chromedp.WindowSize(1200, 1000),
		chromedp.UserDataDir(t.TempDir()), chromedp.WSURLReadTimeout(5*time.Minute))
	home := t.TempDir() // it writes in more places
	options = append(options, chromedp.Env("HOME="+home, "TMPDIR="+home))
	all, end := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, leave := chromedp.NewContext(all)
	t.Cleanup(func() {
		if err := chromedp.Cancel(ctx); err != nil { // it waits until the browser has ended
			t.Error(err)
		}
		leave()
		end()
	})
	b := &browser{t: t, ctx: ctx, dir: t.TempDir()}
	// a time limit here would be one of the browser's life
	if err := chromedp.Do(ctx, chromedp.Navigate("about:blank")); err != nil {
		t.Fatal(err)
	}
	return b
}

// do acts in the browser. Whatever it is takes far less than the time that it has.
func (b *browser) do(actions ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	ctx, end := context.WithTimeout(b.ctx, patience)
	defer end()
	if err := chromedp.Do(ctx, actions...); err != nil {
		b.t.Fatal(err)
	}
}

// patience is how long one action may take, which takes a second on a machine that does nothing else.
const patience = 3 * time.Minute

// media says which colours a system prefers ("light" or "dark"), and for what a page is shown ("screen" or "print").
func (b *browser) media(colours, what string) {
	b.t.Helper()
	b.do(func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
		_, err := cdp.Call(ctx, t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: what,
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: colours}}})
		return chromedp.Void{}, err
	})
}

// open shows the page of a run on a system that prefers light or dark colours, and waits until its script has run.
func (b *browser) open(run *finding.Run, colours string) {
	b.t.Helper()
	file := filepath.Join(b.dir, "page.html")
	if err := os.WriteFile(file, []byte(htmlText(b.t, run)), 0o644); err != nil {
		b.t.Fatal(err)
	}
	b.media(colours, "screen")
	b.do(chromedp.Navigate("file://" + file))
}

// value is what an expression of JavaScript gives, as text.
func (b *browser) value(expression string) string {
	b.t.Helper()
	ctx, end := context.WithTimeout(b.ctx, patience)
	defer end()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[any](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatalf("%s: %v", expression, err)
	}
	return fmt.Sprint(v)
}

// want compares what an expression gives.
func (b *browser) want(expression, want string) {
	b.t.Helper()
	if got := b.value(expression); got != want {
		b.t.Errorf("%s is %q, want %q", expression, got, want)
	}
}

// click clicks where an element is.
func (b *browser) click(selector string) {
	b.t.Helper()
	type point struct{ X, Y float64 }
	ctx, end := context.WithTimeout(b.ctx, patience)
	defer end()
	at, err := chromedp.Run(ctx,
		chromedp.Evaluate[point](
			fmt.Sprintf(
				`(e => { e.scrollIntoView({block: "center"}); const r = e.getBoundingClientRect(); return {X: r.x + r.width / 2, Y: r.y + r.height / 2}; })(document.querySelector(%q))`, selector)))
	if err != nil {
		b.t.Fatalf("%s: %v", selector, err)
	}
	b.do(chromedp.MouseClickXY(at.X, at.Y))
}

// press presses keys where the focus is.
func (b *browser) press(keys string) {
	b.t.Helper()
	b.do(chromedp.KeyEvent(keys))
}

// axeFile is axe-core, which scripts/deps.sh fetches.
const axeFile = "../../../build/axe/axe.min.js"

// accessible holds the page that is open to axe-core.
func (b *browser) accessible(what string) {
	b.t.Helper()
	script, err := os.ReadFile(axeFile)
	if err != nil {
		b.t.Fatalf("%v; hint: scripts/deps.sh fetches axe-core", err)
	}
	type violation struct {
		ID, Help string
		Nodes    []struct {
			Target         []any
			FailureSummary string
		}
	}
	b.value(string(script) + ";0")
	ctx, end := context.WithTimeout(b.ctx, patience)
	defer end()
	violations, err := chromedp.Run(ctx,
		chromedp.Evaluate[[]violation](`axe.run(document, {resultTypes: ["violations"]}).then(r => r.violations)`,
			chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatal(err)
	}
	for _, v := range violations {
		for i, n := range v.Nodes {
			if i < 3 {
				b.t.Errorf("%s: %s: %s: %v: %s", what, v.ID, v.Help, n.Target, n.FailureSummary)
			}
		}
	}
}

// TestPagesInABrowser opens pages in one browser, as its start takes the most.
func TestPagesInABrowser(t *testing.T) {
	b := startBrowser(t)
	for name, test := range map[string]func(*testing.T, *browser){
		"accessible": pagesAreAccessible, "time line": timeLineShowsCallsAndMessages,
		"rows":   ranksThatDoTheSameShareARow,
		"search": findingsAreSearched, "colours": pageIsLightOrDark, "hostile": hostileTextStaysText,
		"sides": sidesStandNextToEachOther, "print": printShowsTheEnd, "many": manyFindingsAreChosen,
		"copy": findingsAreCopied, "narrow": narrowPagesShowAllColumns,
	} {
		t.Run(name, func(t *testing.T) { test(t, &browser{t, b.ctx, t.TempDir()}) })
	}
}

// pagesAreAccessible holds pages to axe-core, in light and dark colours, with all details open: those with a time line
// and a topology here, all of them nightly.
func pagesAreAccessible(t *testing.T, b *browser) {
	names := []string{"history", "grid", "hostile", "nothing", "ten", "five-hundred"}
	if testkit.Nightly() {
		names = nil
		for name := range fixtures() {
			names = append(names, name)
		}
	}
	for _, name := range names {
		for _, colours := range []string{"light", "dark"} {
			b.open(fixtures()[name], colours)
			b.value(`document.querySelectorAll("details").forEach(d => d.open = true)`)
			b.accessible(name + " in " + colours)
		}
	}
}

// timeLineShowsCallsAndMessages clicks, and goes by keys, through the picture of a small history.
func timeLineShowsCallsAndMessages(t *testing.T, b *browser) {
	b.open(historyFixture(), "light")
	b.want(`document.querySelector("#lanes .needs-script")`, "<nil>")
	b.want(`[...document.querySelectorAll("#lanes .name span")].map(e => e.textContent).join()`,
		"rank 0,rank 1,rank 2,rank 3")
	b.want(`[...document.querySelectorAll("#lanes rect.bar")].length`, "9")
	b.want(`document.querySelectorAll("#lanes path.message:not(.chosen)").length`, "2")
	b.want(`document.querySelector("#lanes .name.at-fault").textContent`, "rank 3at fault")

	// A bar that has not returned goes to the end of the picture, and one of calls left out says how often they were
	// made.
	b.want(
		`(r => Math.round(r.getBoundingClientRect().right))(document.querySelector("#bar-3-0")) === (r => Math.round(r.getBoundingClientRect().right))(document.querySelector("#bar-0-2"))`, "true")
	b.want(`document.querySelector("#bar-3-0").getAttribute("class")`, "bar recv open")
	b.want(`[...document.querySelectorAll("#lanes .bar-name.left")].map(e => e.textContent).join()`, "500×")

	// What is at fault is selected from the beginning.
	told := `document.querySelector("#lanes .told").innerText.replace(/\s+/g, " ")`
	b.want(told, "rank 3 · 1 of 1 MPI_Recv from rank 0, tag 9, MPI_COMM_WORLD, 1 × MPI_INT main (chain.c:40) It has "+
		"not returned from this call.")
	b.click("#bar-0-1")
	b.want(told, "rank 0 · 2 of 3, after 1,234 earlier calls 1,500 calls that repeat those before it, 500 times")
	b.click("#bar-1-0")
	b.want(told, "rank 1 · 1 of 3 MPI_Recv from rank 0, tag 0, MPI_COMM_WORLD, 1 × MPI_INT main (chain.c:12) a "+
		"message from rank 0: MPI_Send to rank 1, tag 0, MPI_COMM_WORLD, 1 × MPI_INT at main (chain.c:10)")
	b.want(`document.querySelectorAll("#lanes path.message.chosen").length`, "1")

	// By keys: the next call, a row down, the message, the last call, whose collective is framed.
	who := `document.querySelector("#lanes .told p").textContent + ": " + document.querySelector("#lanes .told .call").textContent`
	b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector("#lanes .scroller").focus()`))
	b.press(kb.ArrowRight)
	b.want(who, "rank 1 · 2 of 3: MPI_Send")
	b.press(kb.Enter)
	b.want(who, "rank 2 · 1 of 2: MPI_Recv")
	b.press(kb.Enter)
	b.want(who, "rank 1 · 2 of 3: MPI_Send")
	b.press(kb.ArrowUp + kb.End)
	b.want(who, "rank 0 · 3 of 3, after 1,234 earlier calls: MPI_Allreduce")
	b.want(`document.querySelectorAll("#lanes rect.peer").length`, "3")

	// Zooming makes bars wider, and the sheet with them.
	wide := `Math.round(document.querySelector("#lanes .sheet").getBoundingClientRect().width)`
	before := b.value(wide)
	b.press("++")
	if after := b.value(wide); len(after) < len(before) || after <= before && len(after) == len(before) {
		t.Errorf("zoomed in, the sheet is %s wide, before %s", after, before)
	}

	// The same is in a table, for one rank at a time.
	b.value(
		`(d => { d.open = true; const s = d.querySelector("select"); s.value = "1"; s.dispatchEvent(new Event("change")); })(document.querySelector("#lanes details"))`)
	b.want(
		`[...document.querySelectorAll("#lanes table.calls tbody tr")].map(r => [...r.cells].map(c => c.textContent).join("|")).join("; ")`,
		"MPI_Recv from rank 0, tag 0, MPI_COMM_WORLD, 1 × MPI_INT|main (chain.c:12)|from rank 0; "+
			"MPI_Send to rank 2, tag 0, MPI_COMM_WORLD, 1 × MPI_INT|main (chain.c:14)|to rank 2; MPI_Allreduce "+
			"MPI_SUM, first three, 1 × MPI_INT|main (chain.c:20)|")
}

// ranksThatDoTheSameShareARow unfolds the rows of 64 ranks, and looks at their grid.
func ranksThatDoTheSameShareARow(t *testing.T, b *browser) {
	b.open(gridFixture(), "light")
	rows := `[...document.querySelectorAll("#lanes .name span")].map(e => e.textContent).join()`
	b.want(rows, "ranks 0-20, 22-63,rank 21")
	b.click(`#lanes .name`)
	b.want(`Math.round(document.querySelector("#lanes .sheet").getBoundingClientRect().height)`, "1678")
	b.want(rows+`.slice(0, 44)`, "rank 0,rank 1,rank 2,rank 3,rank 4,rank 5,ra")
	if drawn := b.value(`document.querySelectorAll("#lanes .name").length`); drawn >= "64" && len(drawn) == 2 {
		t.Errorf("%s rows are drawn, though fewer are seen", drawn)
	}
	b.want(`document.querySelectorAll("#topologies table.grid").length`, "4")
	b.want(`[...document.querySelectorAll("#topologies td.at-fault")].map(e => e.title).join()`,
		"rank 21 at (1, 1, 1): at fault")
	b.want(`document.querySelectorAll("#topologies td.stuck").length`, "63")
}

// findingsAreSearched searches by word, code, rank and file.
func findingsAreSearched(t *testing.T, b *browser) {
	b.open(historyFixture(), "light")
	shown := `[...document.querySelectorAll("section[data-code]")].filter(s => !s.hidden).map(s => s.dataset.code).join()`
	for _, c := range []struct{ query, want, count string }{
		{"", "deadlock,deadlock-unsafe,not-modelled", ""},
		{"buffered", "deadlock-unsafe", "1 of 3 findings"},
		{"code:not-mod", "not-modelled", "1 of 3 findings"},
		{"rank 3", "deadlock", "1 of 3 findings"},
		{"rank:0", "deadlock-unsafe,not-modelled", "2 of 3 findings"},
		{"file:send_send.c", "deadlock-unsafe", "1 of 3 findings"},
		{"rank 1 nowhere", "", "0 of 3 findings"},
	} {
		b.value(
			fmt.Sprintf(
				`(i => { i.value = %q; i.dispatchEvent(new Event("input")); })(document.querySelector(".find input"))`,
				c.query))
		b.want(shown, c.want)
		b.want(`document.getElementById("found").textContent`, c.count)
		b.want(`[...document.querySelectorAll(".top nav li")].filter(s => !s.hidden).length`,
			b.value(`[...document.querySelectorAll("section[data-code]")].filter(s => !s.hidden).length`))
	}
	b.value(`document.activeElement.blur()`)
	b.press("/")
	b.want(`document.activeElement.type`, "search")
	b.press(kb.Escape)
	b.want(shown, "deadlock,deadlock-unsafe,not-modelled")
}

// manyFindingsAreChosen opens a page of 500 findings, goes by keys, follows links into what is closed, and chooses by
// severity, code, rank, file and words.
func manyFindingsAreChosen(t *testing.T, b *browser) {
	b.open(manyFindings(500), "light")
	t.Logf("500 findings are there after %s ms",
		b.value(`Math.round(performance.getEntriesByType("navigation")[0].domComplete)`))
	b.want(`document.querySelectorAll("details.chapter").length`, "4")
	b.want(`[...document.querySelectorAll("details.chapter")].map(d => d.open).join()`, "true,false,false,false")
	b.want(`document.querySelectorAll(".top nav li").length`, "4")

	// A link to a finding in a closed chapter opens it.
	closed := b.value(`document.querySelectorAll("details.chapter")[2].querySelector("section[data-code]").id`)
	b.value(fmt.Sprintf(`location.hash = "#%s"`, closed))
	b.want(`new Promise(done => setTimeout(() => done(document.querySelectorAll("details.chapter")[2].open), 0))`, "true")
	b.want(`document.querySelector(".current").id`, closed)
	b.press("k")
	b.want(`document.querySelector(".current").closest("details").id`, "k2")
	b.press("j")
	b.want(`document.querySelector(".current").id`, closed)

	shown := `[...document.querySelectorAll("section[data-code], .brief li")].filter(e => !e.hidden).length`
	all := b.value(shown)
	if all != "500" {
		t.Errorf("%s findings are shown, want 500", all)
	}
	choose := func(select_, value string) {
		t.Helper()
		b.value(fmt.Sprintf(`(s => { s.value = %q; s.dispatchEvent(new Event("change")); })(document.querySelectorAll(".find select")[%s])`,
			value, select_))
	}
	choose("0", "error")
	b.want(`document.getElementById("found").textContent`, b.value(shown)+" of 500 findings")
	b.want(`[...document.querySelectorAll("details.chapter")].filter(d => !d.hidden).map(d => d.dataset.code).join()`,
		"type-mismatch")
	choose("0", "")
	choose("1", "datatype-leaked")
	b.want(`[...document.querySelectorAll("details.chapter")].filter(d => !d.hidden).map(d => d.dataset.code).join()`,
		"datatype-leaked")
	choose("1", "")
	b.want(shown, all)
	b.want(`document.getElementById("found").textContent`, "")
	for query, ok := range map[string]string{
		"rank 3":        `e => / 3( |$)/.test(" " + e.dataset.ranks)`,
		"file:step_b.c": `e => e.textContent.includes("step_b.c")`,
		"severity:info": `e => e.closest("[data-severity]").dataset.severity === "info"`,
	} {
		b.value(fmt.Sprintf(
			`(i => { i.value = %q; i.dispatchEvent(new Event("input")); })(document.querySelector(".find input"))`, query))
		found := `[...document.querySelectorAll("section[data-code], .brief li")].filter(e => !e.hidden)`
		b.want(found+".every("+ok+")", "true")
		if n := b.value(found + ".length"); n == "0" || n == "500" {
			t.Errorf("%s finds %s", query, n)
		}
	}
}

// findingsAreCopied copies a finding as Markdown, by its button.
func findingsAreCopied(t *testing.T, b *browser) {
	b.open(recvRecv(), "light")
	b.value(`window.copied = ""; Object.defineProperty(navigator, "clipboard", {configurable: true,
		value: {writeText: text => { window.copied = text; return Promise.resolve(); }}}); 0`)
	b.click("button.copy")
	text := b.value(`window.copied`)
	for _, want := range []string{
		"### Ranks 0 and 1 wait for each other: each receives before it sends.\n",
		"error deadlock manifest: it happened in this run; seen 12 times\n",
		"- What to do Use MPI_Sendrecv, or let one of the two ranks send first.\n",
		"| Ranks | Call | Where | Waits for |\n| --- | --- | --- | --- |\n",
		"main (recv_recv.c:14)", "\n```\n", "14 > ",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in what is copied:\n%s", want, text)
		}
	}
	b.want(`document.querySelector("button.copy").textContent`, "Copied")
}

// narrowPagesShowAllColumns has a page as wide as a telephone: nothing of the table of ranks is cut off.
func narrowPagesShowAllColumns(t *testing.T, b *browser) {
	b.do(chromedp.EmulateViewport(420, 900))
	defer b.do(chromedp.EmulateViewport(1200, 1000))
	b.open(recvRecv(), "light")
	b.want(`document.documentElement.scrollWidth <= 420`, "true")
	b.want(`[...document.querySelectorAll("table.ranks td, table.ranks th[scope=row]")].every(c => c.getBoundingClientRect().right <= 420)`,
		"true")
	b.want(`getComputedStyle(document.querySelector("table.ranks.core tbody td:last-child"), "::before").content`,
		`"Waits for: "`)
	b.accessible("narrow")
}

// pageIsLightOrDark follows the system and the switch; print is always light, and has no tools.
func pageIsLightOrDark(t *testing.T, b *browser) {
	ground := `getComputedStyle(document.documentElement).backgroundColor`
	const light, dark, paper = "rgb(251, 251, 249)", "rgb(21, 23, 27)", "rgb(255, 255, 255)"
	b.open(historyFixture(), "light")
	b.want(ground, light)
	b.click("button.theme")
	b.want(ground, dark)
	b.want(`document.querySelector("button.theme").textContent`, "Theme: dark")
	b.accessible("switched to dark")
	b.media("dark", "screen")
	b.click("button.theme")
	b.want(ground, light)
	b.media("light", "print")
	b.want(ground, paper)
	b.want(`[...document.querySelectorAll(".tools, .find, .told, #lane-help")].filter(e => e.offsetParent).length`, "0")
	b.media("dark", "screen")
	b.click("button.theme")
	b.want(ground, dark)
	b.media("dark", "print")
	b.want(ground, paper)
}

// hostileTextStaysText opens a page whose every string is an attack: nothing of it becomes an element or runs.
func hostileTextStaysText(t *testing.T, b *browser) {
	b.open(hostile(), "light")
	b.click("#bar-0-1")
	b.value(`document.querySelectorAll("details").forEach(d => d.open = true)`)
	b.want(
		`document.scripts.length + " " + document.styleSheets.length + " " + document.querySelectorAll("img, iframe, object, embed, b").length`, "1 1 0")
	b.want(`[...document.querySelectorAll("*")].some(e => [...e.attributes].some(a => a.name.startsWith("on")))`,
		"false")
	b.want(`/[\u0000-\u0008\u000e-\u001f\u202a-\u202e\u2066-\u2069]/.test(document.body.innerText)`, "false")
	if text := b.value(`document.querySelector("#lanes .told").textContent`); !strings.Contains(text,
		"<script>alert(1)</script>") {
		t.Errorf("the call is shown as %q", text)
	}
}

// sidesStandNextToEachOther has a finding whose ranks are at two lines: both are seen at once, and below each other
// where there is no room.
func sidesStandNextToEachOther(t *testing.T, b *browser) {
	run := collectiveMismatch()
	b.open(run, "light")
	places := `(([a, b]) => [a.top === b.top, a.right < b.left])([...document.querySelectorAll("#f1 .sides figure")].map(e => e.getBoundingClientRect()))`
	b.want(
		`[...document.querySelectorAll("#f1 .sides figcaption")].map(e => e.innerText.replace(/\s+/g, " ").trim()).join("; ")`,
		"mix.c:11 rank 0 got past MPI_Bcast; mix.c:13 ranks 1-3 in MPI_Reduce")
	b.want(places, "[true true]")
	b.do(chromedp.EmulateViewport(600, 900))
	b.want(places, "[false false]")
	b.want(`document.documentElement.scrollWidth <= 600`, "true")
	b.do(chromedp.EmulateViewport(1200, 1000))
}

// printShowsTheEnd prints a picture that is wider than paper: its end is on it, with all rows and all details open;
// afterwards it is as it was.
func printShowsTheEnd(t *testing.T, b *browser) {
	b.open(manyCalls(), "dark")
	b.value(`document.querySelector("#lanes .scroller").scrollLeft = 0`)
	b.value(`window.dispatchEvent(new Event("beforeprint"))`)
	b.media("dark", "print")
	b.want(`document.querySelector("#lanes .bar.open") !== null`, "true")
	b.want(
		`(s => s.clientHeight >= s.scrollHeight && s.offsetWidth <= 640)(document.querySelector("#lanes .scroller"))`,
		"true")
	b.want(`[...document.querySelectorAll(".doc")].every(d => d.open)`, "true")
	b.media("dark", "screen")
	b.value(`window.dispatchEvent(new Event("afterprint"))`)
	b.want(
		`[document.querySelector("#lanes .scroller").scrollLeft, [...document.querySelectorAll(".doc")].some(d => d.open)].join()`, "0,false")
}

// manyCalls is historyFixture with 200 more calls on each thread.
func manyCalls() *finding.Run {
	run := historyFixture()
	for i := range run.History.Threads {
		k := &run.History.Threads[i]
		k.Steps = append(k.Steps, make([]int, 200)...)
	}
	run.History.Threads[3].Open = true
	return run
}
