package explore

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"unknot/internal/observe/ring"
	"unknot/internal/trace"
)

// Runs that are made at the same time share the file system. One that looks at a file which another one changes has
// learned of that run, even if it changes the file itself, which would excuse it in a run that is alone. All are runs
// of one program, so what any run changes counts: also the first one, and those of which no record is left.

// files are what runs have changed, and what those of them have looked at that others were made beside.
type files struct {
	wrote  map[string]bool
	looked map[string]string // as a sentence
}

func newFiles() files { return files{wrote: make(map[string]bool), looked: make(map[string]string)} }

// take adds the files of a run.
func (f *files) take(r *result) {
	for _, p := range r.Wrote {
		f.wrote[p] = true
	}
	for _, l := range r.Looked {
		f.looked[l.Path] = l.Said
	}
}

// look is a file that a run looks at, and a sentence that says so.
type look struct {
	Path string `json:"path"`
	Said string `json:"said"`
}

// company takes down which files a run changes and looks at that are not known of others, and says whether it may have
// heard of another run by one of them; "" if not. A directory whose files it looks at ends with a slash.
func (f *files) company(r *result, l *trace.Log, beside bool) string {
	o := outside{log: l}
	var looks []look
	for i := range l.Interactions {
		n := &l.Interactions[i]
		switch p := shared(n); {
		case p == "":
		case n.Kind == ring.InteractionWrote || n.Kind == ring.InteractionWrote|ring.InteractionDir:
			for _, p := range []string{p, path.Dir(p) + "/"} {
				if !f.wrote[p] && !slices.Contains(r.Wrote, p) {
					r.Wrote = append(r.Wrote, p)
				}
			}
		case !beside:
		case n.Kind == ring.InteractionRead|ring.InteractionDir && strings.HasPrefix(n.Func, "open"):
			looks = append(looks, look{p + "/", fmt.Sprintf("rank %d looks at the files in %s by %s", n.Rank,
				filepath.Base(p), o.call(n))})
		case n.Kind == ring.InteractionRead:
			looks = append(looks,
				look{p, fmt.Sprintf("rank %d looks at the file %s by %s", n.Rank, filepath.Base(p), o.call(n))})
		case n.Kind == ring.InteractionMissing:
			looks = append(looks,
				look{p, fmt.Sprintf("rank %d looks for the file %s by %s", n.Rank, filepath.Base(p), o.call(n))})
		}
	}
	said := ""
	for _, l := range looks {
		if f.wrote[l.Path] && (said == "" || strings.Contains(said, " looks for ")) {
			said = l.Said
		}
		if f.looked[l.Path] == "" && !slices.ContainsFunc(r.Looked,
			func(k look) bool { return k.Path == l.Path }) {
			r.Looked = append(r.Looked, l)
		}
	}
	for _, p := range r.Wrote {
		if said == "" {
			said = f.looked[p]
		}
	}
	if said == "" {
		return ""
	}
	return said + ", which runs made at the same time change too"
}

// shared is the path by which other runs know a file, too; "" if there is none, or what it holds follows from other
// files.
func shared(n *trace.Interaction) string {
	if strings.HasSuffix(n.Path, " (deleted)") || ofPython(n.Path) {
		return ""
	}
	return n.Path
}
