package catalogue

import (
	"flag"
	"os"
	"testing"
)

var update = flag.Bool("update", false, "write docs/upc-catalogue.md")

// TestDocument compares docs/upc-catalogue.md with the table.
func TestDocument(t *testing.T) {
	const path = "../../../../docs/upc-catalogue.md"
	if *update {
		if err := os.WriteFile(path, []byte(Document()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(path)
	if err != nil || string(text) != Document() {
		t.Errorf("%s is not what the table says; hint: go test ./internal/upc/check/catalogue -run Document -update",
			path)
	}
}
