package parts

import (
	"os"
	"path/filepath"
	"testing"
)

// TestADirectoryOfSomebodyElseIsNotUsed: one that is there must be the user's own, and a link to one is not used.
func TestADirectoryOfSomebodyElseIsNotUsed(t *testing.T) {
	top := t.TempDir()
	own, led, next := filepath.Join(top, "own"), filepath.Join(top, "led"), filepath.Join(top, "deep", "next")
	if err := os.Mkdir(own, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(own, led); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		places []string
		want   string
	}{
		{[]string{own, next}, own},
		{[]string{led, next}, next},
		{[]string{filepath.Join(top, "missing", "x"), next}, next},
	} {
		if got, err := Prepare(c.places); err != nil || got != c.want {
			t.Errorf("of %v: %s, %v, want %s", c.places, got, err, c.want)
		}
	}
	if os.Getuid() != 0 {
		return
	}
	if err := os.Chown(own, 12345, -1); err != nil {
		t.Fatal(err)
	}
	if got, err := Prepare([]string{own, next}); err != nil || got != next {
		t.Errorf("of another user's: %s, %v", got, err)
	}
}
