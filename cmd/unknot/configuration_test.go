package main

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

var update = flag.Bool("update", false, "rewrite what tests generate in docs")

// TestOptionsAreListed holds the table of docs/configuration.md to the options that there are.
func TestOptionsAreListed(t *testing.T) {
	const path, heading = "../../docs/configuration.md", "## All options\n"
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, _, found := strings.Cut(string(text), heading)
	if !found {
		t.Fatalf("%s has no %q", path, heading)
	}
	want := before + heading + "\nWritten by `go test ./cmd/unknot -run TestOptionsAreListed -update`; do not edit." +
		"\n\n" + optionTable()
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if !*update && want != string(text) {
		t.Errorf("%s is not up to date; run go test ./cmd/unknot -run TestOptionsAreListed -update", path)
	}
}

// optionTable has a row for each option of a command that takes options from the environment and the file.
func optionTable() string {
	type option struct{ takes, about string }
	rows := make(map[option][]string)
	for _, c := range commands() {
		if !configurable(c) {
			continue
		}
		visible(c.Flags(), func(f *pflag.Flag) {
			o := option{spelling(f), strings.Join(strings.Fields(f.Usage), " ")}
			rows[o] = append(rows[o], c.Name())
		})
	}
	var lines []string
	for o, of := range rows {
		cell := func(s string) string { return strings.ReplaceAll(s, "|", `\|`) }
		lines = append(lines, fmt.Sprintf("| `%s` | %s | %s |\n", cell(o.takes), strings.Join(of, ", "), cell(o.about)))
	}
	slices.Sort(lines)
	return "| option | of | |\n|---|---|---|\n" + strings.Join(lines, "")
}
