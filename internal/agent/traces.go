package agent

import (
	"fmt"
	"os"
	"path/filepath"

	"unknot/internal/explain"
	tracefile "unknot/internal/trace/file"
)

// joinTraces makes one trace of this host's, which is closed, and those that the other ones have sent.
func (h *hosts) joinTraces(path string) error {
	own, err := tracefile.Look(path)
	if err != nil {
		return err
	}
	from, cut := []string{path}, own.Cut
	for _, r := range h.others() {
		if len(r.ranks) == 0 {
			continue
		}
		part, err := h.traceOf(r)
		if part != "" {
			defer os.Remove(part)
		}
		switch {
		case err == nil:
			from = append(from, part)
		case cut == "":
			cut = fmt.Sprintf("%s: %v", r.host, err)
		}
	}
	if len(from) == 1 && cut == own.Cut {
		return nil
	}
	return tracefile.Join(path, from, cut)
}

// traceOf is a file with what a process has sent. The error says why that is of no use.
func (h *hosts) traceOf(r *remote) (part string, err error) {
	if r.trace == nil {
		return "", explain.ErrNoTrace
	}
	part = filepath.Join(h.p.session.Dir, fmt.Sprintf("trace.%d", r.number))
	if err := os.WriteFile(part, r.trace, 0o600); err != nil {
		return "", err
	}
	_, err = tracefile.Look(part)
	return part, err
}
