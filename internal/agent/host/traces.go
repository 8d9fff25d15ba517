package host

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"unknot/internal/say/explain"
	tracefile "unknot/internal/trace/file"
)

// joinTraces makes one trace of this host's, which is closed, and those that the other ones have sent.
func (h *hosts) joinTraces(path string) error {
	own, err := tracefile.Look(path)
	if err != nil {
		return err
	}
	from, cut := []*tracefile.Survey{own}, own.Cut
	for _, r := range h.others() {
		if len(r.ranks) == 0 {
			continue
		}
		part := filepath.Join(h.p.session.Dir, fmt.Sprintf("trace.%d", r.number))
		defer os.Remove(part)
		switch survey, err := r.keepTrace(part); {
		case err == nil:
			from = append(from, survey)
		case cut == "":
			cut = fmt.Sprintf("%s: %v", r.host, err)
		}
	}
	if len(from) == 1 && cut == own.Cut {
		return nil
	}
	return tracefile.Join(path, from, cut)
}

// copied copies a file of the session, which is removed when the job is over.
func copied(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

// keepTrace writes what a process has sent to a file. The error says why that is of no use.
func (r *remote) keepTrace(path string) (*tracefile.Survey, error) {
	if r.trace == nil {
		return nil, explain.ErrNoTrace
	}
	if err := os.WriteFile(path, r.trace, 0o600); err != nil {
		return nil, err
	}
	return tracefile.Look(path)
}
