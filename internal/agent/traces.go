package agent

import (
	"fmt"
	"os"
	"path/filepath"

	"unknot/internal/explain"
	"unknot/internal/trace"
	tracefile "unknot/internal/trace/file"
)

// joinTraces makes one trace of this host's, which is closed, and those that the other ones have sent.
func (h *hosts) joinTraces(path string) error {
	own, err := tracefile.Read(path)
	if err != nil {
		return err
	}
	logs := []*trace.Log{own}
	for _, r := range h.others() {
		if len(r.ranks) == 0 {
			continue
		}
		log, err := h.traceOf(r)
		switch {
		case err != nil && own.Cut == "":
			own.Cut = fmt.Sprintf("%s: %v", r.host, err)
		case err == nil:
			logs = append(logs, log)
		}
	}
	if len(logs) == 1 && own.Cut == "" {
		return nil
	}
	// A trace takes the place of this host's only when it is complete.
	whole := path + ".joined"
	if err := tracefile.Write(whole, trace.Join(logs)); err != nil {
		return err
	}
	return os.Rename(whole, path)
}

// traceOf is what a process has sent.
func (h *hosts) traceOf(r *remote) (*trace.Log, error) {
	if r.trace == nil {
		return nil, explain.ErrNoTrace
	}
	part := filepath.Join(h.p.session.Dir, fmt.Sprintf("trace.%d", r.number))
	if err := os.WriteFile(part, r.trace, 0o600); err != nil {
		return nil, err
	}
	defer os.Remove(part)
	return tracefile.Read(part)
}
