// Command generate writes the files that follow from records.tsv. It runs in internal/observe/ring, by `go generate`.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"unknot/internal/observe/ring/records"
)

func main() {
	if err := write("records.tsv", "../../.."); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

// write writes the files below the root of the repository.
func write(from, root string) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	table, err := records.Parse(string(text))
	if err != nil {
		return err
	}
	files, err := records.Files(table)
	if err != nil {
		return err
	}
	for path, text := range files {
		if err := os.WriteFile(filepath.Join(root, path), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}
