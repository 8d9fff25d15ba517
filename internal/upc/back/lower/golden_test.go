//go:build !quick

package lower_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"unknot/internal/upc/back/lower"
)

var update = flag.Bool("update", false, "write the lowered text of testdata/golden and testdata/recorded anew")

// TestGolden compares lowered text with what was read and found good. The sources include nothing, so that all of it is
// theirs.
func TestGolden(t *testing.T) { golden(t, "testdata/golden", config(0)) }

// TestRecordedGolden is the same where accesses are recorded.
func TestRecordedGolden(t *testing.T) {
	c := config(0)
	c.Races = true
	golden(t, "testdata/recorded", c)
}

func golden(t *testing.T, dir string, c lower.Config) {
	sources, err := filepath.Glob(filepath.Join(dir, "*.upc"))
	if err != nil || len(sources) == 0 {
		t.Fatalf("no sources: %v", err)
	}
	for _, s := range sources {
		text, err := os.ReadFile(s)
		if err != nil {
			t.Fatal(err)
		}
		got := loweredAs(t, filepath.Base(s), text, c)
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
