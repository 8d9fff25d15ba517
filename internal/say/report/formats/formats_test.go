package formats

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"unknot/internal/say/report"
	"unknot/internal/vocab/finding"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata")

// saved are the runs that the golden files of package report hold as JSON.
var saved = []string{"recv-recv", "unsafe", "died", "mismatch", "nothing", "story", "race", "hostile"}

func readSaved(t *testing.T, name string) *finding.Run {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "testdata", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	run, err := report.ReadJSON(f)
	if err != nil {
		t.Fatal(err)
	}
	return run
}

func options() *Options {
	return &Options{Catalogue: finding.Own(), Root: "/home/ada/app"}
}

func written(t *testing.T, run *finding.Run, path string) []byte {
	t.Helper()
	path = filepath.Join(t.TempDir(), path)
	list, err := Choose([]string{path}, "")
	if err != nil {
		t.Fatal(err)
	}
	if err := list[0].Write(run, options()); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func annotated(t *testing.T, run *finding.Run) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Annotations(&b, run, options()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; run go test ./internal/say/report/formats -update and read the difference", err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs; run go test ./internal/say/report/formats -update and read the difference\n--- got\n%.3000s",
			path, got)
	}
}

func TestGolden(t *testing.T) {
	for _, name := range saved {
		run := readSaved(t, name)
		for _, end := range []string{".sarif", ".xml", ".codequality.json", ".md", ".dot"} {
			golden(t, name+end, written(t, run, name+end))
		}
		golden(t, name+".github", annotated(t, run))
	}
}

func TestSARIFFollowsItsSchema(t *testing.T) {
	schema, err := jsonschema.NewCompiler().Compile("testdata/sarif-schema-2.1.0.json")
	if err != nil {
		t.Fatal(err)
	}
	runs := make(map[string]*finding.Run)
	for _, name := range saved {
		runs[name] = readSaved(t, name)
	}
	compared := readSaved(t, "recv-recv")
	finding.Against(nil, compared.Findings)
	runs["compared"] = compared
	runs["placeless"] = &finding.Run{Ranks: 1,
		Findings: []finding.Finding{{Code: "of a later version", Severity: finding.Info, Standing: finding.Manifest,
			Sentence: "s", Count: 1}}}
	for name, run := range runs {
		v, err := jsonschema.UnmarshalJSON(bytes.NewReader(written(t, run, "out.sarif")))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(v); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestEveryRuleFollowsTheSchema holds the help of each code of this room to it.
func TestEveryRuleFollowsTheSchema(t *testing.T) {
	schema, err := jsonschema.NewCompiler().Compile("testdata/sarif-schema-2.1.0.json")
	if err != nil {
		t.Fatal(err)
	}
	run := &finding.Run{Ranks: 1}
	for _, doc := range finding.Own() {
		run.Findings = append(run.Findings, finding.Finding{Code: doc.Code, Severity: doc.Severity,
			Standing: finding.Manifest, Sentence: "s", Count: 1})
	}
	text := written(t, run, "out.sarif")
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(v); err != nil {
		t.Error(err)
	}
	var log sarifLog
	if err := json.Unmarshal(text, &log); err != nil {
		t.Fatal(err)
	}
	if rules := log.Runs[0].Tool.Driver.Rules; len(rules) != len(finding.Own()) {
		t.Errorf("%d rules", len(rules))
	} else {
		for _, r := range rules {
			if r.Short == nil || r.Full == nil || r.Help == nil || r.Help.Markdown == "" || r.Default == nil {
				t.Errorf("%s lacks help", r.ID)
			}
		}
	}
}

func TestJUnitIsXML(t *testing.T) {
	for _, name := range saved {
		dec := xml.NewDecoder(bytes.NewReader(written(t, readSaved(t, name), "out.xml")))
		for {
			_, err := dec.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
	}
}

// TestJUnitFailsByWhatCounts proves that warnings are output of a passing test unless they set the exit status.
func TestJUnitFailsByWhatCounts(t *testing.T) {
	run := readSaved(t, "unsafe")
	path := filepath.Join(t.TempDir(), "out.xml")
	for _, c := range []struct {
		counts func(*finding.Finding) bool
		want   int
	}{{nil, 0}, {func(f *finding.Finding) bool { return f.Severity == finding.Warning }, 1}} {
		list, err := Choose([]string{path}, "")
		if err != nil {
			t.Fatal(err)
		}
		if err := list[0].Write(run, &Options{Counts: c.counts}); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var s suites
		if err := xml.Unmarshal(text, &s); err != nil {
			t.Fatal(err)
		}
		if s.Failures != c.want || strings.Count(string(text), "<failure") != c.want || s.Tests != 3 ||
			len(s.Suite.Cases) != 3 {
			t.Errorf("%d failures of %d tests, want %d of 3:\n%s", s.Failures, s.Tests, c.want, text)
		}
	}
}

// TestAnnotationsAreOneLineEach proves that no text of a program ends a command or its properties.
func TestAnnotationsAreOneLineEach(t *testing.T) {
	line := regexp.MustCompile(`^::(error|warning|notice) (file=[^:,]+,)?(line=\d+,)?title=[^:,]+::[^\r]+$`)
	for _, name := range saved {
		run := readSaved(t, name)
		text := strings.TrimSuffix(string(annotated(t, run)), "\n")
		all := strings.Split(text, "\n")
		if text == "" {
			all = nil
		}
		if len(all) != len(run.Findings) {
			t.Errorf("%s: %d lines for %d findings", name, len(all), len(run.Findings))
		}
		for _, l := range all {
			if !line.MatchString(l) {
				t.Errorf("%s: %s", name, l)
			}
		}
	}
	if got, want := property("a,b:c%\r\n"), "a%2Cb%3Ac%25%0D%0A"; got != want {
		t.Errorf("property %s, want %s", got, want)
	}
	if got, want := data("a,b:c%\r\n"), "a,b:c%25%0D%0A"; got != want {
		t.Errorf("data %s, want %s", got, want)
	}
}

func TestAnnotationsLeaveOutTheBaseline(t *testing.T) {
	run := readSaved(t, "recv-recv")
	finding.Against(run.Findings, run.Findings)
	if text := annotated(t, run); len(text) > 0 {
		t.Errorf("%s", text)
	}
}

func TestFingerprintsOfAReportDiffer(t *testing.T) {
	run := readSaved(t, "recv-recv")
	run.Findings = append(run.Findings, run.Findings[0])
	list := prints(run.Findings)
	if list[0] == list[1] || list[0][:32] != list[1][:32] {
		t.Errorf("%v", list)
	}
}

func TestFormatIsThatOfTheSuffix(t *testing.T) {
	dir := t.TempDir()
	link := filepath.Join(dir, "link.json")
	if err := os.WriteFile(filepath.Join(dir, "there.json"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("there.json", link); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		files   []string
		json    string
		formats string
		err     string
	}{
		{[]string{"a.html", "a.json", "a.sarif", "a.xml", "a.codequality.json", "ci/gl-code-quality-report.json",
			"a.md", "a.dot", "a.gv"}, "more", "html json sarif junit gitlab gitlab md dot dot json", ""},
		{[]string{"md:/dev/stdout", "sarif:a"}, "", "md sarif", ""},
		{[]string{"out.pdf"}, "", "",
			`--report "out.pdf" has the suffix .pdf, which says no format; hint: end the name in .html, .codequality.json, .json, .sarif, .xml, .md or .dot, or write the format before it, as in md:out.pdf`},
		{[]string{"out"}, "", "", `--report "out" has no suffix; hint: `},
		{[]string{""}, "", "", `--report "" has no suffix; hint: `},
		{[]string{"md:"}, "", "", `--report "md:" has no suffix; hint: `},
		{[]string{"a.json"}, "./a.json", "",
			"--json ./a.json: two reports would be written to this file; hint: give each a name of its own"},
		{[]string{"a.xml", "md:a.xml"}, "", "", "--report a.xml: two reports would be written to this file"},
		{[]string{filepath.Join(dir, "there.json"), link}, "", "", "two reports would be written to this file"},
	} {
		list, err := Choose(c.files, c.json)
		var names []string
		for i := range list {
			names = append(names, list[i].format.name)
		}
		switch {
		case c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)):
			t.Errorf("%v: %v, want %s", c.files, err, c.err)
		case c.err == "" && (err != nil || strings.Join(names, " ") != c.formats):
			t.Errorf("%v: %v, %v, want %s", c.files, names, err, c.formats)
		}
	}
}

func TestPathsAreRelativeToTheRoot(t *testing.T) {
	o := options()
	for file, want := range map[string]string{
		"/home/ada/app/src/a.c": "src/a.c", "/home/ada/apple.c": "/home/ada/apple.c",
		"/home/ada/app/../b.c": "/home/ada/app/../b.c", "./x/a.c": "x/a.c", "../a.c": "../a.c",
	} {
		got, inside := o.relative(file)
		if got != want || inside != (want == "src/a.c" || want == "x/a.c") {
			t.Errorf("%s: %s, %v", file, got, inside)
		}
	}
	if got := uri("/a b/c#d%.c"); got != "file:///a%20b/c%23d%25.c" {
		t.Errorf("uri %s", got)
	}
	if got := uri("a:b c.c"); got != "./a:b%20c.c" {
		t.Errorf("uri %s", got)
	}
}

func TestRootIsTheCheckoutThatHoldsTheWorkingDirectory(t *testing.T) {
	dir := t.TempDir()
	inner := filepath.Join(dir, "build")
	if err := os.Mkdir(inner, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Chdir(inner)
	for _, c := range []struct{ variable, value, want string }{
		{"", "", inner}, {"GITHUB_WORKSPACE", dir, dir}, {"CI_PROJECT_DIR", dir, dir},
		{"GITHUB_WORKSPACE", "/elsewhere", inner},
	} {
		if got := Root(func(name string) string { return map[string]string{c.variable: c.value}[name] }); got != c.want {
			t.Errorf("%s=%s: %s, want %s", c.variable, c.value, got, c.want)
		}
	}
}

// TestEachFindingIsATestOfItsOwn: there is one test for the job, and one for each finding, which fails if that counts
// and has it as its output otherwise.
func TestEachFindingIsATestOfItsOwn(t *testing.T) {
	finds := func(code finding.Code, severity finding.Severity, sentence string) finding.Finding {
		return finding.Finding{Code: code, Severity: severity, Standing: finding.Manifest, Sentence: sentence, Count: 1}
	}
	run := &finding.Run{Ranks: 2, Findings: []finding.Finding{
		finds(finding.RankDied, finding.Error, "One died."), finds(finding.RankDied, finding.Error, "Another died."),
		finds(finding.RankDied, finding.Info, "A third was ended."),
		finds("seen", finding.Info, "This is no failure."),
	}}
	var got struct {
		Failures int `xml:"failures,attr"`
		Cases    []struct {
			Name    string `xml:"name,attr"`
			Failure *struct {
				Message string `xml:"message,attr"`
			} `xml:"failure"`
			Output string `xml:"system-out"`
		} `xml:"testsuite>testcase"`
	}
	if err := xml.Unmarshal(written(t, run, "out.xml"), &got); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, c := range got.Cases {
		name := c.Name
		if c.Failure != nil {
			name += ": " + c.Failure.Message
		}
		names = append(names, name)
	}
	if want := "unknot, rank-died: Another died., rank-died 2: One died., rank-died 3, seen"; strings.Join(names,
		", ") != want || got.Failures != 2 {
		t.Errorf("%d failures of tests %s, want 2 of %s", got.Failures, strings.Join(names, ", "), want)
	}
	if !strings.Contains(got.Cases[3].Output, "A third was ended.") || !strings.Contains(got.Cases[4].Output,
		"This is no failure.") {
		t.Errorf("outputs %q and %q", got.Cases[3].Output, got.Cases[4].Output)
	}
}
