package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// The limits are for what is started; half of the longest one is left for what runs then.
func TestAllStepsTakeLessThanThreeHours(t *testing.T) {
	var all time.Duration
	for _, s := range steps() {
		all += s.limit
	}
	if all > 165*time.Minute {
		t.Errorf("the steps may take %s", all)
	}
}

// written is how a section of a page says which command wrote it.
var written = regexp.MustCompile("Written by `go run \\./bench/([a-z/-]+)")

func TestEachMeasuredSectionOfAPageHasAStep(t *testing.T) {
	measured := make(map[string]bool)
	for _, s := range steps() {
		measured[s.page+" "+s.bench] = true
	}
	pages, err := filepath.Glob("../../docs/papers/*.md")
	if err != nil {
		t.Fatal(err)
	}
	seen := make(map[string]bool)
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range written.FindAllStringSubmatch(string(text), -1) {
			key := strings.TrimSuffix(filepath.Base(page), ".md") + " " + m[1]
			seen[key] = true
			if !measured[key] {
				t.Errorf("%s has a section of ./bench/%s, which no step of `make papers` makes", page, m[1])
			}
		}
	}
	for key := range measured {
		if !seen[key] {
			t.Errorf("the step %q writes no section of its page", key)
		}
	}
}
