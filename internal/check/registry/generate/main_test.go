package main

import (
	"os"
	"testing"
)

// What is generated is what the directories of checks make.
func TestGeneratedFilesAreUpToDate(t *testing.T) {
	list, err := files("../..")
	if err != nil {
		t.Fatal(err)
	}
	if len(list) < 3 {
		t.Fatalf("only %d files: no checks found", len(list))
	}
	for path, want := range list {
		have, err := os.ReadFile(path)
		if err != nil || string(have) != want {
			t.Errorf("%s is not what its directory makes (%v); hint: go generate ./internal/check/registry", path, err)
		}
	}
}
