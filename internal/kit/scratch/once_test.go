package scratch

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
)

// holds says whether a directory has a file with a text.
func holds(dir, text string) bool {
	got, err := os.ReadFile(filepath.Join(dir, "text"))
	return err == nil && string(got) == text
}

// fills writes that file.
func fills(text string) func(string) error {
	return func(work string) error { return os.WriteFile(filepath.Join(work, "text"), []byte(text), 0o644) }
}

func TestWhatSeveralNeedIsMadeOnce(t *testing.T) {
	cache := t.TempDir()
	var made atomic.Int32
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			err := Once(t.Context(), cache, "kit", ".kit-", func(dir string) bool { return holds(dir, "one") },
				func(work string) error {
					made.Add(1)
					return fills("one")(work)
				})
			if err != nil || !holds(filepath.Join(cache, "kit"), "one") {
				t.Errorf("%v", err)
			}
		})
	}
	wg.Wait()
	if made.Load() != 1 {
		t.Errorf("made %d times", made.Load())
	}
	if entries, err := os.ReadDir(cache); err != nil || len(entries) != 1 {
		t.Errorf("%v, %v are left", entries, err)
	}
}

func TestWhatIsOutOfDateIsMadeAgain(t *testing.T) {
	cache := t.TempDir()
	for _, text := range []string{"one", "two"} {
		if err := Once(t.Context(), cache, "kit", ".kit-", func(dir string) bool { return holds(dir, text) },
			fills(text)); err != nil {
			t.Fatal(err)
		}
		if !holds(filepath.Join(cache, "kit"), text) {
			t.Errorf("not %q", text)
		}
	}
}

func TestWhatCannotBeMadeLeavesNothing(t *testing.T) {
	cache := t.TempDir()
	fails := errors.New("no compiler")
	err := Once(t.Context(), cache, "kit", ".kit-", func(dir string) bool { return holds(dir, "one") },
		func(work string) error {
			return errors.Join(fills("half")(work), fails)
		})
	if !errors.Is(err, fails) {
		t.Errorf("%v", err)
	}
	if entries, err := os.ReadDir(cache); err != nil || len(entries) != 0 {
		t.Errorf("%v, %v are left", entries, err)
	}
}
