//go:build !quick

package driver

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"unknot/internal/supervise"
	"unknot/internal/upc/layout"
)

// TestObjectsOfAnotherVersionAreRefused links what other versions of unknot have compiled: those before there were
// versions, and a later one.
func TestObjectsOfAnotherVersionAreRefused(t *testing.T) {
	about := func(name, value string) string {
		return fmt.Sprintf("__asm__(\".pushsection %s,\\\"\\\",%%progbits\\n.ascii "+
			"\\\"%s\\\\t%s\\\\ta.upc\\\\n\\\"\\n.popsection\");\n", layout.ObjectSection, name, value)
	}
	threads, version := about(layout.ObjectThreads, layout.Dynamic), func(n int) string {
		return about(layout.ObjectLayout, fmt.Sprint(n))
	}
	for name, c := range map[string]struct{ text, want string }{
		"none": {threads, "a.upc: error: compiled by another version of unknot, whose objects have layout 1 where " +
			"this one links layout 2; hint: compile it again"},
		"later": {version(3) + threads, "a.upc: error: compiled by another version of unknot, whose objects have " +
			"layout 3 where this one links layout 2; hint: compile it again"},
		"same": {version(layout.ObjectVersion) + threads, ""},
	} {
		source, object := filepath.Join(t.TempDir(), "a.c"), filepath.Join(t.TempDir(), "a.o")
		if err := os.WriteFile(source, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		gcc(t, "-c", source, "-o", object)
		problems, err := disagreements(object, 0)
		if want := slices.DeleteFunc([]string{c.want}, func(s string) bool { return s == "" }); err != nil ||
			!slices.Equal(problems, want) {
			t.Errorf("%s: %q, %v; want %q", name, problems, err, want)
		}
	}
}

// TestProgramsEndWithTheStatusOfFindings holds the status of programs of upc-check to that of unknot run.
func TestProgramsEndWithTheStatusOfFindings(t *testing.T) {
	if layout.ExitFindings != supervise.ExitFindings {
		t.Errorf("programs end with %d, unknot run with %d", layout.ExitFindings, supervise.ExitFindings)
	}
}
