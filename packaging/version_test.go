//go:build !quick

package packaging

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestVersionsOfCommitsGrow gives versions to a commit, to what is changed after it, to a later commit, and to a
// release.
func TestVersionsOfCommitsGrow(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string, mode os.FileMode) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), mode); err != nil {
			t.Fatal(err)
		}
	}
	git := func(date string, args ...string) string {
		t.Helper()
		cmd := exec.Command("git",
			append([]string{"-C", dir, "-c", "user.name=Ada", "-c", "user.email=ada@unknot.invalid"}, args...)...)
		cmd.Env = append(os.Environ(), "GIT_COMMITTER_DATE="+date, "GIT_AUTHOR_DATE="+date)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %q: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	version := func() string {
		t.Helper()
		return strings.TrimSpace(run(t, filepath.Join(dir, "packaging/version.sh")))
	}
	write("packaging/version.sh", read(t, "version.sh"), 0o755)
	write("VERSION", "1.2.0\n", 0o644)
	if bare := version(); bare != "1.2.0-dev" {
		t.Errorf("sources without git have version %q, want 1.2.0-dev", bare)
	}
	write("main.c", "int main(void) { return 0; }\n", 0o644)
	git("2026-11-27T01:02:03+09:00", "init", "-q")
	git("2026-11-27T01:02:03+09:00", "add", ".")
	git("2026-11-27T01:02:03+09:00", "commit", "-q", "-m", "one")
	first := version()
	if want := "1.2.0-dev.20261126160203.g" + git("", "rev-parse", "--short=8", "HEAD"); first != want {
		t.Errorf("a commit has version %q, want %q", first, want)
	}
	write("main.c", "int main(void) { return 1; }\n", 0o644)
	changed := version()
	if changed != first+".dirty" {
		t.Errorf("with a change, it has version %q, want %q", changed, first+".dirty")
	}
	git("2026-11-28T00:00:00+00:00", "commit", "-q", "-a", "-m", "two")
	second := version()
	git("2026-11-28T00:00:00+00:00", "tag", "v1.2.0")
	released := version()
	if released != "1.2.0" {
		t.Errorf("a commit with a tag has version %q, want 1.2.0", released)
	}
	order := []string{"1.1.0", first, changed, second, released}
	for i := range order[1:] {
		run(t, "dpkg", "--compare-versions", debianVersion(order[i]), "lt", debianVersion(order[i+1]))
	}
}
