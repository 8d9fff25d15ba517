package parts

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"unknot/internal/say/explain"
	tracefile "unknot/internal/trace/file"
)

// What a process has recorded of its ranks' calls is a separate file beside its part, as it may be large.

// TraceSuffix is that of its name.
const TraceSuffix = ".trace"

// KeepTrace copies what a process has recorded into the directory of its part, and returns the name of the file there.
func KeepTrace(dir, path, host string, process int) (name string, err error) {
	from, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer from.Close()
	name = nameOf(host, process) + TraceSuffix
	to, err := os.OpenFile(filepath.Join(dir, name), os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return "", err
	}
	_, err = io.Copy(to, from)
	return name, errors.Join(err, to.Close())
}

// Recorded says whether calls of the job were recorded.
func (s *Set) Recorded() bool {
	return slices.ContainsFunc(s.Parts, func(p *Part) bool { return p.Trace != "" })
}

// JoinTraces writes one trace of what the processes have recorded whose parts are in a directory, and of what the root
// has, if that is within reach. It is never that of the whole run: what the last calls of the root's host were is
// unknown.
func (s *Set) JoinTraces(dir, path string) error {
	var from []*tracefile.Survey
	for _, p := range s.Parts {
		if p.Trace == "" {
			continue
		}
		part, err := tracefile.Look(filepath.Join(dir, filepath.Base(p.Trace)))
		if err != nil {
			return fmt.Errorf("%w; hint: copy it there too", err)
		}
		from = append(from, part)
	}
	if len(from) == 0 {
		return fmt.Errorf("%s: no calls were recorded in this job; hint: --trace of unknot run records them", dir)
	}
	if root, err := tracefile.Look(s.Head().Recorded); err == nil && root.Defs.Head.Start == s.Head().Start {
		from = append(from, root)
	}
	return tracefile.Join(path, from, explain.Joined(s.missing()))
}
