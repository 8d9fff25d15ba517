package main

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// TestKnownDifferencesExplainFailures: a test that says anything else, or nothing, is not known to fail. A difference
// that is not seen any more is said in a whole row, unless it is one that is seen only sometimes.
func TestKnownDifferencesExplainFailures(t *testing.T) {
	path := filepath.Join(t.TempDir(), "differences.tsv")
	const text = "# a comment\nsid/mpich\tchecks:always\t^status 0.*lost\tone reason\n" +
		"sid/.*\tsometimes checks:now-and-then\t\tanother\nsid/openmpi\t.*\t\tof another row\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	known, err := readDifferences(path)
	if err != nil {
		t.Fatal(err)
	}
	always, sometimes := failure{"checks:always", []string{"status 0\nlost", "status 0, lost"}},
		failure{"checks:now-and-then", []string{"anything"}}
	for _, c := range []struct {
		failed  []failure
		excused []int
		whole   bool
		want    []string
	}{
		{failed: []failure{always, sometimes}, excused: []int{1, 2}, whole: true},
		{failed: []failure{always}, excused: []int{1}, whole: true},
		{whole: true, want: []string{"no test ^(?:checks:always)$ fails any more; hint: take its line from the list " +
			"of differences"}},
		{},
		{failed: []failure{always, {"checks:new", always.messages}}, excused: []int{1},
			want: []string{"checks: checks:new failed"}},
		{failed: []failure{{"checks:always", []string{"status 0, lost", "no message"}}},
			want: []string{"checks: checks:always failed"}},
		{failed: []failure{{"checks:always", nil}}, want: []string{"checks: checks:always failed"}},
	} {
		r := row{release: "sid", library: "mpich", results: []result{{part: part{name: "checks"}, failed: c.failed}}}
		if got := r.judge(known, c.whole); !slices.Equal(got, c.want) ||
			!slices.Equal(r.results[0].excused, c.excused) {
			t.Errorf("%v: %q, excused %v; want %q, %v", c.failed, got, r.results[0].excused, c.want, c.excused)
		}
	}
}

// TestWhatATestSaidIsRead: messages belong to the test whose turn it is, in all their lines, when several run at a
// time.
func TestWhatATestSaidIsRead(t *testing.T) {
	const log = `matrix: state: 1234abcd, 2026-01-02 03:04
matrix: library: MPICH 4.2.1
matrix: package: suite:
=== RUN   TestSuite
=== RUN   TestSuite/one
=== PAUSE TestSuite/one
=== RUN   TestSuite/two
=== PAUSE TestSuite/two
=== CONT  TestSuite/one
=== CONT  TestSuite/two
    order_test.go:96: status 0
        told:
        
          rank 0   --- in a call
=== NAME  TestSuite/one
    order_test.go:96: one of one
=== NAME  TestSuite/two
    order_test.go:99: no message
--- FAIL: TestSuite (0.10s)
    --- FAIL: TestSuite/one (0.05s)
    --- FAIL: TestSuite/two (0.05s)
    --- PASS: TestSuite/three (0.05s)
        --- PASS: TestSuite/three/deep (0.05s)
FAIL
`
	path := filepath.Join(t.TempDir(), "part.log")
	if err := os.WriteFile(path, []byte(log), 0o600); err != nil {
		t.Fatal(err)
	}
	one := result{part: part{packages: []string{"./suite"}}}
	r := row{}
	if err := one.read(path, &r); err != nil {
		t.Fatal(err)
	}
	want := []failure{
		{"suite:TestSuite/one", []string{"one of one"}},
		{"suite:TestSuite/two", []string{"status 0\ntold:\n\n  rank 0   --- in a call", "no message"}},
	}
	if !reflect.DeepEqual(one.failed, want) || one.passed != 1 || r.version != "MPICH 4.2.1" {
		t.Errorf("%d passed, failed %q of %s; want 1, %q", one.passed, one.failed, r.version, want)
	}
}

// TestTheListOfDifferencesCanBeRead: what each of them explains is named, too.
func TestTheListOfDifferencesCanBeRead(t *testing.T) {
	known, err := readDifferences("differences.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range known {
		if d.said.MatchString("a message of no difference") {
			t.Errorf("%s explains whatever is said", d.why)
		}
	}
}

// TestAPartThatDoesNotEndKeepsNoOtherFromItsLine: it is reported by its row and name, and its own line stays as it was.
func TestAPartThatDoesNotEndKeepsNoOtherFromItsLine(t *testing.T) {
	t.Chdir(t.TempDir())
	const cut, whole = "matrix: package: probe:\n--- PASS: TestOne (0.1s)\n",
		"matrix: library: MPICH 5.0.2\nmatrix: package: whole:\n--- PASS: TestOne (0.1s)\nPASS\n"
	for path, text := range map[string]string{
		"build/matrix/sid-mpich/probe.log": cut, "build/matrix/sid-mpich/examples.log": whole,
		"build/matrix/sid-mpich-abi/examples.log": whole, "differences.tsv": "# none",
	} {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	err := run(options{out: "table.md", roots: "roots", differences: "differences.tsv", read: true},
		[]string{"sid/mpich", "sid/mpich-abi"})
	const want = "sid/mpich: probe: the tests did not run to their end; hint: build/matrix/sid-mpich/probe.log has " +
		"what they said"
	if err == nil || err.Error() != want {
		t.Errorf("%v; want %s", err, want)
	}
	text, err := os.ReadFile("table.md")
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(text), "| all examples, broken and fixed; what MPI-4.1 has added | 1 | 1 | none |"); n != 2 || strings.Contains(string(text), "the probe") {
		t.Errorf("%d lines of the examples, want 2 and none of the probe:\n%s", n, text)
	}
}

// TestAllRowsOfThisKindOfMachineAreChosen if none is named: each library of each release.
func TestAllRowsOfThisKindOfMachineAreChosen(t *testing.T) {
	rows, err := choose(nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, r := range rows {
		names = append(names, r.name())
	}
	want := []string{"bullseye/openmpi", "bullseye/mpich", "bookworm/openmpi", "bookworm/mpich", "trixie/openmpi",
		"trixie/mpich", "sid/openmpi", "sid/mpich", "sid/openmpi-abi", "sid/mpich-abi"}
	if !slices.Equal(names, want) {
		t.Errorf("%q, want %q", names, want)
	}
}
