// Package house guards the order of the rooms (docs/architecture.md) and what may be in the repository at all.
package house

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const architecturePage = root + "/docs/architecture.md"

// readRooms reads the table of rooms in docs/architecture.md, which is in order of dependence: a room imports only
// those before it.
func readRooms(t *testing.T) (rooms []string) {
	_, table, found := strings.Cut(read(t, architecturePage), "\n## Rooms\n")
	table, _, ends := strings.Cut(table, "\n## ")
	if !found || !ends {
		t.Fatalf("%s has no section \"Rooms\" that ends", architecturePage)
	}
	for _, row := range regexp.MustCompile("(?m)^\\| `([a-z0-9/]+)` \\|").FindAllStringSubmatch(table, -1) {
		rooms = append(rooms, row[1])
	}
	return rooms
}

// narrow rooms import less than the order lets them.
var narrow = map[string][]string{
	"say/report": {"vocab/op", "kit/slab", "kit/scc", "vocab/finding"}, "vocab/op": {}, "vocab/finding": {"vocab/op"},
	"model/waitfor":   {"vocab/op", "kit/scc"},
	"model/waitstate": {"vocab/op", "kit/slab", "model/match", "vocab/datatype"},
}

const root = "../../.."

func TestRoomsImportOnlyRoomsBeforeThem(t *testing.T) {
	rooms := readRooms(t)
	used := make(map[string]bool)
	err := filepath.WalkDir(filepath.Join(root, "internal"), func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && d.Name() == "testdata" {
			return fs.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(path, ".go") {
			return nil
		}
		inside, err := filepath.Rel(filepath.Join(root, "internal"), filepath.Dir(path))
		if err != nil {
			return err
		}
		at := roomOf(rooms, filepath.ToSlash(inside))
		if at < 0 {
			t.Errorf("%s is in no room; hint: give it a row in %s", path, architecturePage)
			return nil
		}
		used[rooms[at]] = true
		if strings.HasSuffix(path, "_test.go") {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range f.Imports {
			name, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			other, ours := strings.CutPrefix(name, "unknot/internal/")
			if !ours {
				continue
			}
			to := roomOf(rooms, other)
			if to < 0 || to > at {
				t.Errorf("%s: room %s imports %s, which does not come before it", path, rooms[at], name)
			}
			if few, ok := narrow[rooms[at]]; ok && to >= 0 && to != at && !slices.Contains(few, rooms[to]) {
				t.Errorf("%s: room %s imports %s, but may import %v only", path, rooms[at], name, few)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, room := range rooms {
		if !used[room] {
			t.Errorf("%s has a row for %s, which has no file", architecturePage, room)
		}
	}
}

// roomOf is the place in the order of the room that a package (its path below internal/) belongs to, or -1: that of the
// longest row which is the package or a directory above it.
func roomOf(rooms []string, inside string) int {
	for {
		if i := slices.Index(rooms, inside); i >= 0 {
			return i
		}
		cut := strings.LastIndexByte(inside, '/')
		if cut < 0 {
			return -1
		}
		inside = inside[:cut]
	}
}

// TestNoFileNamesAMachinesPaths keeps paths of the machines where the code was written out of it.
func TestNoFileNamesAMachinesPaths(t *testing.T) {
	// In two parts each, so that this file does not name one itself.
	// The people of examples are invented.
	invented := regexp.MustCompile(`/home/(ada|user)/$`)
	foreign := regexp.MustCompile(`(^|[^\w./-])/` +
		`(work/(main|shared|\.)|home/[a-z]+/|Users/[A-Za-z]+/|root/\.?[a-z])`)
	tracked(t, func(name, text string) {
		for i, line := range strings.Split(text, "\n") {
			if m := foreign.FindString(line); m != "" && !invented.MatchString(m) {
				t.Errorf("%s:%d names a path of one machine: %q", name, i+1, m)
			}
		}
	})
}

// tracked gives each file of the repository that git knows, by its path in the root.
func tracked(t *testing.T, each func(name, text string)) {
	t.Helper()
	out, err := exec.Command("git", "-C", root, "ls-files", "-z").Output()
	if err != nil {
		t.Fatalf("git ls-files: %v", err)
	}
	for name := range strings.SplitSeq(strings.TrimRight(string(out), "\x00"), "\x00") {
		text, err := os.ReadFile(filepath.Join(root, name))
		if os.IsNotExist(err) {
			continue // deleted, not yet committed
		}
		if err != nil {
			t.Error(err)
			continue
		}
		each(name, string(text))
	}
}
