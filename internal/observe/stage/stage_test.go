package stage

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"unknot/internal/observe/launch"
)

// other is another host, played by a shell of this one with a home directory of its own, and what it is asked is
// counted.
func other(t *testing.T) (s Shell, home, asked string) {
	t.Helper()
	dir := t.TempDir()
	home, asked = filepath.Join(dir, "home"), filepath.Join(dir, "asked")
	if err := os.Mkdir(home, 0o700); err != nil {
		t.Fatal(err)
	}
	script := "#!/bin/sh\necho \"$1\" >> " + asked + "\nexport HOME=" + home +
		"\necho a greeting\nexec /bin/sh -c \"$2\"\n"
	rsh := filepath.Join(dir, "rsh")
	if err := os.WriteFile(rsh, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	return Shell{launch.Remote{Names: []string{"a"}, Shell: []string{rsh}}}, home, asked
}

// files are two of this host, one of whose names needs quotes.
func files(t *testing.T) []File {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "it's here")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	var list []File
	for _, name := range []string{"one", "two"} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(strings.Repeat(name+"\n", 100_000)), 0o700); err != nil {
			t.Fatal(err)
		}
		list = append(list, File{Path: path, Name: name})
	}
	return list
}

func sessions(t *testing.T, asked string) int {
	t.Helper()
	text, err := os.ReadFile(asked)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Count(string(text), "a\n")
}

func TestFilesThatAllHostsHaveStayWhereTheyAre(t *testing.T) {
	s, _, asked := other(t)
	list := files(t)
	r, err := s.Bring(t.Context(), Directories{Tmp: filepath.Join(t.TempDir(), "staged")}, list)
	if err != nil {
		t.Fatal(err)
	}
	if r.Where != "" || len(r.Copied)+len(r.Faults) > 0 || r.Paths[0] != list[0].Path || r.Paths[1] != list[1].Path ||
		sessions(t, asked) != 1 {
		t.Errorf("%+v, asked %d times", r, sessions(t, asked))
	}
}

func TestAHostOfAnotherFileGetsBothInOneDirectory(t *testing.T) {
	list, err := Sum(files(t))
	if err != nil {
		t.Fatal(err)
	}
	d := Directories{Tmp: filepath.Join(t.TempDir(), "staged")}
	b := bringing{d: d, files: list}
	none := []Seen{read([]string{"path 0", "path 1", "can"}), read([]string{"path 0", "other 1"})}
	if at := b.choose(none); at != inTmp {
		t.Errorf("place %d, want that for temporary files, as one host cannot use the cache", at)
	}
	none[1].can = true
	if at := b.choose(none); at != inCache {
		t.Errorf("place %d, want the cache", at)
	}
	s, _, _ := other(t)
	b.Shell = s
	if err := b.put(t.Context(), inTmp, "a", []int{0, 1}, nil); err != nil {
		t.Fatal(err)
	}
	seen := s.Look(t.Context(), []string{"a"}, d, list)
	for i, f := range list {
		path := seen[0].Staged(d, list, i)
		have, err := os.ReadFile(path)
		want, _ := os.ReadFile(f.Path)
		if err != nil || string(have) != string(want) {
			t.Errorf("%s staged as %q: %d bytes, want %d, %v", f.Name, path, len(have), len(want), err)
		}
	}
}

func TestAStagedFileThatWasChangedIsCopiedAgain(t *testing.T) {
	s, _, _ := other(t)
	list, err := Sum(files(t))
	if err != nil {
		t.Fatal(err)
	}
	d := Directories{Tmp: filepath.Join(t.TempDir(), "staged")}
	b := bringing{Shell: s, d: d, files: list}
	if err := b.put(t.Context(), inTmp, "a", []int{0}, nil); err != nil {
		t.Fatal(err)
	}
	path := d.path(inTmp, list[0])
	for _, spoil := range []func() error{
		func() error { return os.Chmod(path, 0o700) },                     // still the same
		func() error { return os.WriteFile(path, []byte("evil"), 0o700) }, // by hand
		func() error { return os.Chmod(filepath.Dir(path), 0o777) },
	} {
		if err := spoil(); err != nil {
			t.Fatal(err)
		}
	}
	if seen := s.Look(t.Context(), []string{"a"}, d, list); seen[0].Staged(d, list, 0) != "" {
		t.Error("a changed file counts as staged")
	}
	if err := b.put(t.Context(), inTmp, "a", []int{0}, nil); err == nil ||
		!strings.Contains(err.Error(), "is not a directory of this user alone") {
		t.Errorf("a directory that all may write to: %v", err)
	}
	if err := os.Chmod(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := b.put(t.Context(), inTmp, "a", []int{0}, nil); err != nil {
		t.Error(err)
	}
	if seen := s.Look(t.Context(), []string{"a"}, d, list); seen[0].Staged(d, list, 0) != path {
		t.Error("the file is not staged again")
	}
}

func TestScriptsPassThroughAnyShell(t *testing.T) {
	for name, script := range map[string]string{"ask": mineScript + askScript, "put": mineScript + putScript} {
		if line := oneLine(script); strings.ContainsAny(line, "'!\n") {
			t.Errorf("%s has a quote, an exclamation mark or a new line, which csh takes for its own: %s", name, line)
		}
	}
}
