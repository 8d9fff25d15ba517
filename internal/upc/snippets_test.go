//go:build !quick

package upc_test

import (
	"path/filepath"
	"testing"

	"unknot/internal/test/testkit"
)

// The programs that explain the findings of UPC programs compile, the wrong ones too.
func TestProgramsOfTheFindingsCompile(t *testing.T) {
	files, err := filepath.Glob("../vocab/finding/catalogue/upc-*/*.upc")
	if err != nil || len(files) == 0 {
		t.Fatalf("no programs: %v", err)
	}
	err = parallel(len(files), func(i int) error {
		b := builder{dir: t.TempDir(), fast: !testkit.Nightly()}
		_, err := b.object(files[i], 0)
		return err
	})
	if err != nil {
		t.Error(err)
	}
}
