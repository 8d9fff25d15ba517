package whole

import (
	"os"
	"path/filepath"
	"testing"
)

// TestLeftoversOfKilledTestsAreRemoved proves that a program which is compiled makes room of what a test that was
// killed has left.
func TestLeftoversOfKilledTestsAreRemoved(t *testing.T) {
	cache := t.TempDir()
	left := filepath.Join(cache, "compiling-1")
	if err := os.Mkdir(left, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(left, "lock"), nil, 0o600); err != nil { // nobody holds it
		t.Fatal(err)
	}
	text := "int main(void) { return 0; }\n"
	source := filepath.Join(t.TempDir(), "empty.c")
	if err := os.WriteFile(source, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := CompileBy([]string{"cc"}, Program{Path: source, Text: text}, cache); err != nil {
		t.Fatal(err)
	}
	if all, err := os.ReadDir(cache); err != nil || len(all) != 1 {
		t.Errorf("in the cache: %v (%v), want the program only", all, err)
	}
}
