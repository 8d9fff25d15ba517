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

// rooms are in order of dependence: a room imports only those before it. The last two only serve tests.
var rooms = []string{"op", "slab", "finding", "ring", "plan", "probe", "launch", "match", "usage", "waitstate", "waitfor", "trace", "tree", "agent", "predict", "report", "told", "supervise", "explore", "upc", "oracle", "whole"}

// upcRooms are the rooms inside of upc, in the same kind of order.
var upcRooms = []string{"syntax", "types", "lower", "csrc", "driver"}

// narrow rooms import less than the order lets them.
var narrow = map[string][]string{"report": {"op", "slab", "finding"}, "op": {}, "finding": {"op"}, "waitfor": {"op"}}

const root = "../.."

func TestRoomsImportOnlyRoomsBeforeThem(t *testing.T) {
	err := filepath.WalkDir(filepath.Join(root, "internal"), func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && d.Name() == "testdata" {
			return fs.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		room := roomOf(strings.TrimPrefix(filepath.ToSlash(path), root+"/"))
		at := slices.Index(rooms, room)
		if at < 0 {
			t.Errorf("%s: room %q has no place in the order", path, room)
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
			other, ours := strings.CutPrefix(name, "unknot/")
			if !ours {
				continue
			}
			other = roomOf(other)
			if other == room {
				if here, there := upcRoom(path), upcRoom(name); here >= 0 && there > here {
					t.Errorf("%s: %s imports %s, which does not come before it", path, upcRooms[here], name)
				}
				continue
			}
			if i := slices.Index(rooms, other); i < 0 || i > at {
				t.Errorf("%s: room %s imports %s, which does not come before it", path, room, name)
			}
			if few, ok := narrow[room]; ok && !slices.Contains(few, other) {
				t.Errorf("%s: room %s imports %s, but may import %v only", path, room, name, few)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// roomOf is the room of a file or package: internal/ROOM/….
func roomOf(path string) string {
	parts := strings.Split(path, "/")
	if len(parts) < 2 || parts[0] != "internal" {
		return path
	}
	return parts[1]
}

// upcRoom is the place in the order of a file or package inside of upc, or -1.
func upcRoom(path string) int {
	_, inside, _ := strings.Cut(path, "internal/upc/")
	name, _, _ := strings.Cut(inside, "/")
	return slices.Index(upcRooms, name)
}

// TestNoFileNamesAMachinesPaths keeps paths of the machines where the code was written out of it.
func TestNoFileNamesAMachinesPaths(t *testing.T) {
	out, err := exec.Command("git", "-C", root, "ls-files", "-z").Output()
	if err != nil {
		t.Fatalf("git ls-files: %v", err)
	}
	// In two parts each, so that this file does not name one itself.
	// The people of examples are invented.
	invented := regexp.MustCompile(`/home/(ada|user)/$`)
	foreign := regexp.MustCompile(`(^|[^\w./-])/` + `(work/(main|shared|\.)|home/[a-z]+/|Users/[A-Za-z]+/|root/\.?[a-z])`)
	for name := range strings.SplitSeq(strings.TrimRight(string(out), "\x00"), "\x00") {
		text, err := os.ReadFile(filepath.Join(root, name))
		if os.IsNotExist(err) {
			continue // deleted, not yet committed
		}
		if err != nil {
			t.Error(err)
			continue
		}
		for i, line := range strings.Split(string(text), "\n") {
			if m := foreign.FindString(line); m != "" && !invented.MatchString(m) {
				t.Errorf("%s:%d names a path of one machine: %q", name, i+1, m)
			}
		}
	}
}
