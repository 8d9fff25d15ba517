package formats

import (
	"cmp"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"unknot/internal/vocab/finding"
)

// Root is the directory that readers of reports take paths to be relative to: the checkout of a CI system that the
// working directory is in, else the working directory; "" if that is unknown.
func Root(env func(string) string) string {
	here, err := os.Getwd()
	if err != nil {
		return ""
	}
	for _, name := range []string{"GITHUB_WORKSPACE", "CI_PROJECT_DIR"} {
		if checkout := env(name); checkout != "" {
			if _, inside := below(checkout, here); inside {
				return checkout
			}
		}
	}
	return here
}

// below gives a path relative to a directory, and whether it is inside. The directory may go through symbolic links
// that the path does not.
func below(dir, path string) (string, bool) {
	dirs := []string{dir}
	if real, err := filepath.EvalSymlinks(dir); err == nil && real != dir {
		dirs = append(dirs, real)
	}
	for _, d := range dirs {
		if rel, err := filepath.Rel(d, path); err == nil && filepath.IsLocal(rel) {
			return rel, true
		}
	}
	return "", false
}

// relative is a file as reports name it, and whether that is relative to the root.
func (o *Options) relative(file string) (string, bool) {
	if !filepath.IsAbs(file) {
		return filepath.ToSlash(filepath.Clean(file)), filepath.IsLocal(file)
	}
	if o.Root != "" {
		if rel, inside := below(o.Root, file); inside {
			return filepath.ToSlash(rel), true
		}
	}
	return file, false
}

// uri is a path as a URI, with what may not stand in one escaped.
func uri(path string) string {
	u := url.URL{Path: strings.ToValidUTF8(path, "\ufffd")}
	if filepath.IsAbs(path) {
		u.Scheme = "file"
	}
	return u.String()
}

// anchor is where a finding is shown by a reader that wants a file: the first of its places with one, else its first
// related place with one, else the module of the first place. Of processes that wait for each other, those count first
// that wait, and of them the fewest that wait at one place.
func anchor(f *finding.Finding) finding.Frame {
	var frames []finding.Frame
	for _, p := range byWaiting(f) {
		frames = append(frames, p.Frame)
	}
	frames = append(frames, f.Related...)
	for _, at := range frames {
		if at.File != "" {
			return at
		}
	}
	if len(frames) > 0 {
		return frames[0]
	}
	return finding.Frame{}
}

// byWaiting are the places of a finding, in the order in which one is looked for to show it.
func byWaiting(f *finding.Finding) []finding.Place {
	switch f.Code {
	case finding.Deadlock, finding.DeadlockUnsafe, finding.Livelock, finding.UPCDeadlock, finding.UPCLivelock,
		finding.SHMEMDeadlock:
	default:
		return f.Places
	}
	waits := func(p *finding.Place) bool { return p.State != "finished" && p.State != "died" && p.State != "running" }
	type site struct {
		call, file, function string
		line                 int
	}
	of := func(p *finding.Place) site { return site{p.Call, p.File, p.Function, p.Line} }
	at := make(map[site]int)
	for i := range f.Places {
		at[of(&f.Places[i])] += 1 + len(f.Places[i].Alike)
	}
	list := slices.Clone(f.Places)
	slices.SortStableFunc(list, func(a, b finding.Place) int {
		switch x, y := waits(&a), waits(&b); {
		case x && !y:
			return -1
		case y && !x:
			return 1
		}
		return cmp.Compare(at[of(&a)], at[of(&b)])
	})
	return list
}

// program is what stands for the place of a finding that has none: the command.
func program(run *finding.Run) string {
	if len(run.Command) == 0 {
		return "unknot"
	}
	return filepath.Base(run.Command[0])
}

// prints are the fingerprints of findings, each with which one it is of those that share it, as a reader may show one
// of equals only: "1f0c…:1".
func prints(list []finding.Finding) []string {
	out, seen := make([]string, len(list)), make(map[string]int)
	for i := range list {
		print := finding.Fingerprint(&list[i])
		seen[print]++
		out[i] = print + ":" + strconv.Itoa(seen[print])
	}
	return out
}
