package host

import (
	"bytes"
	"io"
	"strings"
	"sync"
	"time"

	"unknot/internal/agent/kernel"
	"unknot/internal/agent/proto"
	"unknot/internal/root/parts"
	"unknot/internal/vocab/finding"
)

// If the supervisor is lost, the process with the root ends the job and judges it to the end, but nobody is there to
// hear it. What it says goes into a part then, as that of other hosts would if the root itself were lost.

// transcript keeps what goes to the supervisor.
type transcript struct {
	to io.Writer

	mu     sync.Mutex
	said   bytes.Buffer
	failed bool // the supervisor does not hear it any more
}

// Write writes a line.
func (s *transcript) Write(line []byte) (int, error) {
	n, err := s.to.Write(line)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.failed = s.failed || err != nil
	if !bytes.HasPrefix(line, []byte(`{"type":"`+proto.Status)) {
		s.said.Write(line)
	}
	return n, err
}

// unsent is what was said, without the deaths of the ranks: the job was ended when the supervisor was lost. It is
// empty if all was heard.
func (s *transcript) unsent() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.failed {
		return ""
	}
	var kept strings.Builder
	to := proto.NewWriter(&kept)
	for from := proto.NewReader(&s.said); ; {
		m, err := from.Receive()
		if err != nil {
			return kept.String()
		}
		if m.Finding == nil || m.Finding.Code != finding.RankDied {
			_ = to.Send(m) // it goes into memory
		}
	}
}

// keepUnsent writes what the root has said and nobody has heard into a part.
func (p *process) keepUnsent(s *transcript) error {
	said := s.unsent()
	if said == "" || p.net == nil {
		return nil
	}
	dir, err := parts.Prepare(parts.Places(p.opts.Parts, p.opts.Job))
	if err != nil {
		return err
	}
	o := &p.opts
	_, err = parts.Write(dir, &parts.Part{Head: parts.Head{Job: o.Job, Unknot: o.Version, Command: o.Command,
		Start: o.Start, Size: p.size, Host: kernel.Hostname(),
		Process: supervisorsHost, Until: time.Now(), Whole: true, Said: said}}, p.table)
	return err
}
