//go:build !quick

package packaging

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"unknot/internal/test/testkit"
)

// fetched is what a browser would load with a page from elsewhere.
var fetched = regexp.MustCompile(`<(?:script|img|iframe)[^>]* src="(?:https?:)?//|<link[^>]* href="(?:https?:)?//|` +
	`url\(["']?(?:https?:)?//|@import`)

// TestTheSiteNeedsNoNetwork makes the site of the documents, in which each link leads to a page, and looks for the pages
// of the navigation and for what a browser would fetch.
func TestTheSiteNeedsNoNetwork(t *testing.T) {
	if !testkit.Nightly() {
		t.Skip("a minute for a site is for make nightly; make docs makes it, too")
	}
	dir := filepath.Join(t.TempDir(), "site")
	run(t, "./site.sh", dir)
	for _, name := range []string{"index.html", "start.html", "tutorials/c.html", "findings/deadlock.html", "searchindex.js",
		"examples/recv-recv/broken.c", "findings-1.schema.json"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
	theme, err := os.ReadFile(filepath.Join(dir, "_static", "styles", "furo.css"))
	if err != nil {
		t.Fatal(err)
	}
	for _, rule := range []string{"body {\n  margin: 0;", `(prefers-color-scheme: dark) {
  body[data-theme="auto"] {`} {
		if !strings.Contains(string(theme), rule) {
			t.Errorf("the theme has no rule %s", rule)
		}
	}
	pages := 0
	err = filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		switch filepath.Ext(path) {
		case ".html":
			pages++
		case ".css":
		default:
			return nil
		}
		text, err := os.ReadFile(path)
		if err == nil && fetched.Match(text) {
			t.Errorf("%s loads %q", path, fetched.Find(text))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if pages < 200 {
		t.Errorf("the site has only %d pages", pages)
	}
	index, err := os.ReadFile(filepath.Join(dir, "searchindex.js"))
	if err != nil || !strings.Contains(string(index), "findings/rma-conflict") {
		t.Errorf("searching does not find the page about rma-conflict: %v", err)
	}
}
