package house

import (
	"debug/elf"
	"strings"
	"testing"

	"unknot/internal/test/testkit"
)

// TestUnknotNeedsNoLibrary keeps unknot a static program: one that is copied to another machine runs with the C library
// of that machine, and what a user's LD_PRELOAD names for the program is not loaded into unknot.
func TestUnknotNeedsNoLibrary(t *testing.T) {
	if makefile := read(t, root+"/Makefile"); !strings.Contains(makefile, "\tCGO_ENABLED=0 go build ") {
		t.Errorf("the Makefile does not build unknot with CGO_ENABLED=0, which this test wants")
	}
	file, err := elf.Open(testkit.Unknot(t))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for _, p := range file.Progs {
		if p.Type == elf.PT_INTERP {
			libraries, err := file.ImportedLibraries()
			t.Errorf("unknot is linked with %v (%v); hint: `go list -deps ./cmd/unknot` lists the packages that "+
				"it is made of", libraries, err)
		}
	}
}
