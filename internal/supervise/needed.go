package supervise

import (
	"unknot/internal/observe/launch"
	"unknot/internal/observe/stage"
)

// needed are the paths of what ranks need, which are the same on all hosts.
type needed struct {
	unknot, probe string
	heap, shmem   string // "" for none
	plan          string // the same
	heed          string // not a path, but passed to all of them too
}

func (n needed) injection(session, link string) launch.Injection {
	in := launch.Injection{Probe: n.probe, Session: session, Plan: n.plan, Heed: n.heed}
	for _, more := range []string{n.heap, n.shmem} {
		if more != "" {
			in.Probe += ":" + more
		}
	}
	if in.Link = link; link != "" {
		in.Agent = n.unknot
	}
	return in
}

// files are what is at these paths, in the order of fields.
func (n needed) files() []stage.File {
	files := []stage.File{{Path: n.unknot, Name: stage.Unknot}, {Path: n.probe, Name: "probe.so"}}
	for _, more := range []stage.File{{Path: n.heap, Name: "heap.so"}, {Path: n.shmem, Name: "shmem.so"},
		{Path: n.plan, Name: "plan"}} {
		if more.Path != "" {
			files = append(files, more)
		}
	}
	return files
}

// moved is what is needed at other paths, in the order of files.
func (n needed) moved(paths []string) needed {
	out := needed{unknot: paths[0], probe: paths[1], heed: n.heed}
	rest := paths[2:]
	for _, more := range []struct{ from, to *string }{{&n.heap, &out.heap}, {&n.shmem, &out.shmem},
		{&n.plan, &out.plan}} {
		if *more.from != "" {
			*more.to, rest = rest[0], rest[1:]
		}
	}
	return out
}
