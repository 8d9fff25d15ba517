package house

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"unknot/internal/check/registry"
	"unknot/internal/observe/ring/records"
	"unknot/internal/test/testkit"
	"unknot/internal/vocab/finding"
)

const (
	readme       = root + "/README.md"
	findingsPage = root + "/docs/findings.md"
	// findingPages has a page for each code.
	findingPages = root + "/docs/findings"
	runPage      = root + "/docs/run/options.md"
	regenerate   = "go test ./internal/test/house -run Documents -update"
)

func TestMain(m *testing.M) {
	flag.Bool("update", false, "rewrite docs/findings.md and the pages below it, docs/checks.md, the report in "+
		"README.md and what follows from the table of records")
	flag.Parse()
	os.Exit(m.Run())
}

// updates says whether files are rewritten.
func updates() bool { return flag.Lookup("update").Value.String() == "true" }

// compare holds a file to what it should be, or makes it so with -update.
func compare(t *testing.T, path, have, want string) {
	t.Helper()
	if have == want {
		return
	}
	if updates() {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	t.Errorf("%s is not what it is made from; it should be\n%s\nhint: %s", path, want, regenerate)
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestDocumentsHoldEveryFinding(t *testing.T) {
	want := map[string]string{findingsPage: findings()}
	for _, doc := range registry.Catalogue() {
		want[filepath.Join(findingPages, string(doc.Code)+".md")] = findingPage(doc)
	}
	there, err := filepath.Glob(findingPages + "/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range there {
		if want[path] != "" {
			continue
		}
		if !updates() {
			t.Errorf("%s is about no code; hint: %s", path, regenerate)
		} else if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(findingPages, 0o755); err != nil {
		t.Fatal(err)
	}
	for path, text := range want {
		have, err := os.ReadFile(path)
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		compare(t, path, string(have), text)
	}
}

const madeFromCodes = "<!-- made from the catalogue of codes by: " + regenerate + " -->\n\n"

// findings is docs/findings.md: a row for each record of the catalogue.
func findings() string {
	var b strings.Builder
	b.WriteString(madeFromCodes + "# Findings\n\n")
	b.WriteString("Each finding has a code. Its page says what it means, why it happens and how to fix it, with a broken " +
		"and a fixed program.\n`unknot explain CODE` prints the same text.\n\n" +
		"The *standing* says how a finding is known. `manifest` happened in the run that was watched. `predicted` " +
		"follows from\n" +
		"the calls of that run: another run may hang there. `confirmed` was predicted, and then made to happen. What " +
		"is predicted and an\n" +
		"error is [certain](explore/predict.md#certain-and-possible); a warning is possible. [How it works](how-it-works.md) " +
		"says why a manifest\n" +
		"deadlock is never a false alarm.\n\n| code | severity | meaning |\n|---|---|---|\n")
	for _, doc := range registry.Catalogue() {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", link(string(doc.Code)), doc.Severity, doc.Title)
	}
	return b.String()
}

// otherCode and otherPage are links to another code and to a page in docs, as records have them.
var (
	otherCode = regexp.MustCompile(`\]\(#([a-z-]+)\)`)
	otherPage = regexp.MustCompile(`\]\(([a-z/-]+\.md)`)
)

// findingPage is the page of a code.
func findingPage(doc finding.Doc) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s# %s\n\n**%s** (%s, since %s)\n\n%s\n\n## Why it happens\n\n%s\n\n## How to fix it\n\n%s\n",
		madeFromCodes, doc.Code, strings.ToUpper(doc.Title[:1])+doc.Title[1:], doc.Severity, doc.Since, wrap(doc.Means),
		wrap(doc.Why), wrap(doc.Fix))
	if doc.Broken != "" {
		fmt.Fprintf(&b, "\n## Broken\n\n```c\n%s```\n\n## Fixed\n\n```c\n%s```\n", doc.Broken, doc.Fixed)
	}
	text := otherPage.ReplaceAllString(b.String(), "](../$1")
	return otherCode.ReplaceAllString(text, "](${1}.md)") + "\n[All findings](../findings.md)\n"
}

// TestDocumentsHoldTheTableOfRecords holds the page, the Go and the C header that are generated from it.
func TestDocumentsHoldTheTableOfRecords(t *testing.T) {
	table, err := records.Parse(read(t, root+"/internal/observe/ring/records.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	files, err := records.Files(table)
	if err != nil {
		t.Fatal(err)
	}
	for path, text := range files {
		path = root + "/" + path
		have, err := os.ReadFile(path)
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		compare(t, path, string(have), text)
	}
}

// wrap breaks the lines of each paragraph.
func wrap(text string) string {
	const width = 118
	var out []string
	for paragraph := range strings.SplitSeq(text, "\n\n") {
		line := ""
		var lines []string
		for word := range strings.FieldsSeq(paragraph) {
			if line != "" && len(line)+1+len(word) > width {
				lines, line = append(lines, line), ""
			}
			line = strings.TrimSpace(line + " " + word)
		}
		out = append(out, strings.Join(append(lines, line), "\n"))
	}
	return strings.Join(out, "\n\n")
}

func TestDocumentsNameEveryOption(t *testing.T) {
	help, err := exec.Command(testkit.Unknot(t), "run", "-h").Output()
	if err != nil {
		t.Fatal(err)
	}
	page := read(t, runPage)
	option := regexp.MustCompile(`(?m)^  (--[a-z-]+)`)
	found := option.FindAllStringSubmatch(string(help), -1)
	if len(found) == 0 {
		t.Fatalf("no options in\n%s", help)
	}
	named := map[string]bool{}
	for _, m := range found {
		named[m[1]] = true
		if !strings.Contains(page, "\n## `"+m[1]) {
			t.Errorf("%s has no section about %s", runPage, m[1])
		}
	}
	for _, m := range regexp.MustCompile("(?m)^## `(--[a-z-]+)").FindAllStringSubmatch(page, -1) {
		if !named[m[1]] {
			t.Errorf("%s has a section about %s, which `unknot run -h` does not list", runPage, m[1])
		}
	}
}

func TestDocumentsNameEveryMakeTarget(t *testing.T) {
	const page = root + "/docs/developing.md"
	text := read(t, page)
	for _, target := range targets(read(t, root+"/Makefile")) {
		if !strings.Contains(text, "| `make "+target+"` |") {
			t.Errorf("%s does not describe `make %s`", page, target)
		}
	}
}

// targets are what a Makefile can be asked to make. Files that it makes on the way have a slash in their names.
func targets(makefile string) (names []string) {
	for _, m := range regexp.MustCompile(`(?m)^([a-z-]+(?: [a-z-]+)*):(?: [^=\n]*)?$`).FindAllStringSubmatch(makefile,
		-1) {
		names = append(names, strings.Fields(m[1])...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func TestTargetsOfAMakefile(t *testing.T) {
	const makefile = ".PHONY: all\nall: build\nbench-folding: deps\n\tgo run\nbuild/x.so: x.c\none two: three\nall: " +
		"export A = b\nA := b\n"
	if got, want := targets(makefile), []string{"all", "bench-folding", "one", "two"}; !slices.Equal(got, want) {
		t.Errorf("the targets are %q, want %q", got, want)
	}
}

// TestComparedNamesWhatIsThere: what is claimed of unknot beside other tools is shown by tests of these names, and said
// with these codes.
func TestComparedNamesWhatIsThere(t *testing.T) {
	const page = root + "/docs/compared.md"
	var tests strings.Builder
	err := filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, "_test.go") {
			tests.WriteString(read(t, path))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	text := read(t, page)
	names := regexp.MustCompile("`(Test[A-Za-z]+)`").FindAllStringSubmatch(text, -1)
	codes := regexp.MustCompile("(?m)^\\| [^|]+ \\| `([a-z-]+)`").FindAllStringSubmatch(text, -1)
	if len(names) == 0 || len(codes) == 0 {
		t.Fatalf("%s names %d tests and %d codes", page, len(names), len(codes))
	}
	for _, m := range names {
		if !strings.Contains(tests.String(), "func "+m[1]+"(") {
			t.Errorf("%s says that something is shown by %s, which is not there", page, m[1])
		}
	}
	for _, m := range codes {
		if _, known := registry.Catalogue().Explain(finding.Code(m[1])); !known {
			t.Errorf("%s names %s, which is no code", page, m[1])
		}
	}
}

// documents are the pages that people read: those at the root of the repository, those below docs, and the examples'.
func documents(t *testing.T) (pages []string) {
	t.Helper()
	for _, pattern := range []string{"/*.md", "/examples/README.md"} {
		some, err := filepath.Glob(root + pattern)
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, some...)
	}
	err := filepath.WalkDir(root+"/docs", func(path string, _ fs.DirEntry, err error) error {
		if err == nil && filepath.Ext(path) == ".md" {
			pages = append(pages, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return pages
}

// longestPage is how many words a page may have.
const longestPage = 2500

// generatedPages are tables of data as a whole, which commands write.
var generatedPages = []string{"records.md", "upc-catalogue.md"}

// generatedPart is a table of data in a page, which a command writes between two comments.
var generatedPart = regexp.MustCompile(`(?s)<!-- [a-z]+\b[^>]*-->\n.*?<!-- end of [a-z]+\b[^>]*-->`)

// TestPagesAreShort counts the words of each page, except for what commands write: sections that say so, and parts
// between comments.
func TestPagesAreShort(t *testing.T) {
	for _, page := range documents(t) {
		if slices.Contains(generatedPages, filepath.Base(page)) {
			continue
		}
		n := 0
		for section := range strings.SplitSeq(generatedPart.ReplaceAllString(read(t, page), ""), "\n## ") {
			if !strings.Contains(section, "\nWritten by `") {
				n += len(strings.Fields(section))
			}
		}
		if n > longestPage {
			t.Errorf("%s has %d words, at most %d; hint: make pages of its sections, in a directory with its name",
				page, n, longestPage)
		}
	}
}

var markdownLink = regexp.MustCompile(`\]\(([^)\s]+)\)`)

// TestLinksBetweenDocumentsLead follows the links of the documents to files and headings.
func TestLinksBetweenDocumentsLead(t *testing.T) {
	for _, page := range documents(t) {
		for _, m := range markdownLink.FindAllStringSubmatch(read(t, page), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			file, anchor, _ := strings.Cut(m[1], "#")
			target := page
			if file != "" {
				target = filepath.Join(filepath.Dir(page), file)
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s links to %s: %v", page, m[1], err)
				continue
			}
			if anchor != "" && !anchors(read(t, target))[anchor] {
				t.Errorf("%s links to %s, but %s has no such heading", page, m[1], target)
			}
		}
	}
}

var notInAnchor = regexp.MustCompile(`[^a-z0-9 _-]`)

// anchors are the names that GitHub and its like give the headings of a page.
func anchors(text string) map[string]bool {
	out := map[string]bool{}
	code := false
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "```") {
			code = !code
		}
		if code || !strings.HasPrefix(line, "#") {
			continue
		}
		name := strings.ToLower(strings.TrimSpace(strings.TrimLeft(line, "#")))
		out[strings.ReplaceAll(notInAnchor.ReplaceAllString(name, ""), " ", "-")] = true
	}
	return out
}

const (
	reportBegin = "<!-- report: " + regenerate + " -->\n```text\n"
	reportEnd   = "```\n<!-- end of report -->\n"
)

// TestDocumentsShowARealReport runs the README's example and compares what it prints with what the README shows.
func TestDocumentsShowARealReport(t *testing.T) {
	testkit.NeedsMPI(t)
	text := read(t, readme)
	before, rest, ok := strings.Cut(text, reportBegin)
	_, after, closed := strings.Cut(rest, reportEnd)
	if !ok || !closed {
		t.Fatalf("%s lacks the lines %q and %q", readme, reportBegin, reportEnd)
	}
	dir := t.TempDir()
	const source = "examples/wildcard-starved/broken.c"
	build := exec.Command("mpicc.openmpi", "-g", "-o", filepath.Join(dir, "app"), source)
	build.Dir = root
	if text, err := build.CombinedOutput(); err != nil {
		t.Fatalf("mpicc.openmpi: %v\n%s", err, text)
	}
	// A run that has to compile the probe says so.
	probe := exec.Command(testkit.Unknot(t), "probe", "build", "--mpicc", "mpicc.openmpi")
	if text, err := probe.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", probe.Args, err, text)
	}
	cmd := exec.Command(testkit.Unknot(t), "run", "--report", "report.html", "mpirun.openmpi", "-n", "3", "./app")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1",
		"OMPI_MCA_rmaps_base_oversubscribe=1",
		"OMPI_MCA_mpi_yield_when_idle=1", "OMPI_MCA_orte_tmpdir_base="+dir)
	out, err := cmd.CombinedOutput()
	if exit, failed := err.(*exec.ExitError); !failed || exit.ExitCode() != 66 {
		t.Fatalf("%v: %v, want exit status 66\n%s", cmd.Args, err, out)
	}
	report := ofMpirun.ReplaceAllString(string(out), "")
	compare(t, readme, text, before+reportBegin+report+reportEnd+after)
}

// ofMpirun is what Open MPI's mpirun says now and then when its job is ended: a warning of its event loop, or where it
// crashed ("[host:pid] Signal: Segmentation fault", and its stack). It is not unknot's.
var ofMpirun = regexp.MustCompile(`(?m)^(\[warn\]|\[[^]\s]+:[0-9]+\]) .*\n`)
