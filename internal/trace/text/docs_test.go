package text

import (
	"bytes"
	"os"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestLogsOfTheDocument reads each log of docs/logs.md, and writes it so that it comes back.
func TestLogsOfTheDocument(t *testing.T) {
	page, err := os.ReadFile("../../../docs/logs.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```text\n(.*?)```").FindAllSubmatch(page, -1)
	if len(blocks) < 4 {
		t.Fatalf("docs/logs.md has %d logs", len(blocks))
	}
	for _, block := range blocks {
		l, err := Read(bytes.NewReader(block[1]), "log")
		if err != nil {
			t.Errorf("%v", err)
			continue
		}
		var again bytes.Buffer
		if err := Write(&again, l); err != nil {
			t.Fatal(err)
		}
		back, err := Read(&again, "again")
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(normal(l), normal(back)); diff != "" {
			t.Errorf("%s\ncomes back with (- written, + read):\n%s", block[1], diff)
		}
	}
}

// TestWordsOfTheDocument holds the table of options to the options that are read.
func TestWordsOfTheDocument(t *testing.T) {
	page, err := os.ReadFile("../../../docs/logs.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range optionWords() {
		if !regexp.MustCompile("`" + word + "[=`]").Match(page) {
			t.Errorf("docs/logs.md says nothing of the option %q", word)
		}
	}
}
