//go:build !quick

package lower_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the lowered text of testdata/golden anew")

// TestGolden compares lowered text with what was read and found good. The sources include nothing, so that all of it is
// theirs.
func TestGolden(t *testing.T) {
	sources, err := filepath.Glob("testdata/golden/*.upc")
	if err != nil || len(sources) == 0 {
		t.Fatalf("no sources: %v", err)
	}
	for _, s := range sources {
		text, err := os.ReadFile(s)
		if err != nil {
			t.Fatal(err)
		}
		got := lowered(t, filepath.Base(s), text, 0)
		path := strings.TrimSuffix(s, ".upc") + ".c"
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
