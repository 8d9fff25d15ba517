package instrument_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"unknot/internal/upc/back/instrument"
	"unknot/internal/upc/back/lower"
	"unknot/internal/upc/front/syntax"
	"unknot/internal/upc/front/types"
)

var update = flag.Bool("update", false, "write the instrumented text of testdata/golden anew")

// config is that of unknot's own run-time, with dynamic THREADS.
var config = types.Config{MaxBlock: 1 << 20, PointerSize: 8, PointerAlign: 8}

func wrapped(name string) bool { return strings.HasPrefix(name, "upc_") }

// checked parses and checks a text, which must have no errors.
func checked(t testing.TB, path string, text []byte) (*syntax.File, *types.Info) {
	t.Helper()
	file, diags := syntax.Parse(path, text)
	info := types.Check(file, config)
	for _, d := range append(diags, info.Diagnostics...) {
		if d.Severity == syntax.Error {
			t.Fatalf("%s: %s\n%s", file.Position(d.Pos), d.Message, text)
		}
	}
	return file, info
}

func instrumented(t testing.TB, path string, text []byte, stack, accesses bool) []byte {
	t.Helper()
	file, info := checked(t, path, text)
	return instrument.Instrument(file, info, instrument.Options{Config: config, Stack: stack, Pointers: accesses,
		Native: true, Wrapped: wrapped}).Bytes
}

// TestGolden compares instrumented text with what was read and found good, and wants it to be UPC that can be lowered.
// Sources whose name begins with stack have the calls of their functions followed, and those with accesses each access
// through a pointer checked.
func TestGolden(t *testing.T) {
	sources, err := filepath.Glob("testdata/golden/*.upc")
	if err != nil || len(sources) == 0 {
		t.Fatalf("no sources: %v", err)
	}
	for _, s := range sources {
		if strings.HasSuffix(s, ".instrumented.upc") {
			continue
		}
		text, err := os.ReadFile(s)
		if err != nil {
			t.Fatal(err)
		}
		got := instrumented(t, filepath.Base(s), text, strings.HasPrefix(filepath.Base(s), "stack"),
			strings.HasPrefix(filepath.Base(s), "accesses"))
		file, info := checked(t, s, got)
		if _, err := lower.Lower(file, info, lower.Config{Config: config}); err != nil {
			t.Errorf("%s: %v", s, err)
		}
		path := strings.TrimSuffix(s, ".upc") + ".instrumented.upc"
		if *update {
			if err := os.WriteFile(path, got, 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s: -update writes it anew; got\n%s", path, got)
		}
	}
}

// TestNothingToCheck: a source without anything that is checked comes out as it is.
func TestNothingToCheck(t *testing.T) {
	const source = "shared int a[THREADS];\nunsigned long upc_threadof(shared void *);\nint f(int n)\n{\n\treturn " +
		"a[n] + sizeof(upc_threadof(a));\n}\n"
	file, _ := checked(t, "n.upc", []byte(source))
	if got := instrumented(t, "n.upc", []byte(source), true, false); !bytes.Equal(got, lower.Native(file)) {
		t.Errorf("got\n%s", got)
	}
}
