package house

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"unknot/internal/check/registry"
)

// TestCodesAreOfVersionsThatExist holds the version since which there is a code to those that the list of changes has.
func TestCodesAreOfVersionsThatExist(t *testing.T) {
	const page = root + "/CHANGELOG.md"
	var versions []string
	for _, m := range regexp.MustCompile(`(?m)^## (\d+\.\d+)\.\d+`).FindAllStringSubmatch(read(t, page), -1) {
		versions = append(versions, m[1])
	}
	if len(versions) == 0 {
		t.Fatalf("%s names no version", page)
	}
	if next, first := strings.TrimSpace(read(t, root+"/VERSION")), versions[0]; !strings.HasPrefix(next, first+".") {
		t.Errorf("VERSION has %s, but %s begins with %s", next, page, first)
	}
	for _, doc := range registry.Catalogue() {
		if !slices.Contains(versions, doc.Since) {
			t.Errorf("%s is a code since %q, but %s names only %q; hint: a new code is of the version that is not "+
				"yet released",
				doc.Code, doc.Since, page, versions)
		}
	}
}

// TestRecipesAskForTheGoOfTheModule holds what says which Go compiles unknot to what go.mod says.
func TestRecipesAskForTheGoOfTheModule(t *testing.T) {
	m := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindStringSubmatch(read(t, root+"/go.mod"))
	if m == nil {
		t.Fatal("go.mod names no version of Go")
	}
	for _, c := range []struct{ file, before, after string }{
		{"/packaging/spack/packages/unknot/package.py", `depends_on("go@`, `:", type="build")`},
		{"/docs/install.md", "It needs Go\n", " or newer"},
		{"/docs/install.md", "with Spack's Go (", " or newer)"},
		{"/README.md", "with Go ", " or newer"},
		{"/CONTRIBUTING.md", "with [Go ", " or newer]"},
	} {
		if want := c.before + m[1] + c.after; !strings.Contains(read(t, root+c.file), want) {
			t.Errorf("%s does not say %q, but go.mod wants Go %s", c.file, want, m[1])
		}
	}
}
