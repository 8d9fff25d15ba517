package main

import (
	"errors"
	"io"

	"unknot/internal/agent/proto"
	"unknot/internal/say/report"
	"unknot/internal/vocab/finding"
)

// report does the supervisor's part: it reads what the root has said, and writes the page.
func (j *job) report(d *detection) error {
	found := make(map[int]*finding.Finding)
	r := proto.NewReader(&j.out)
	for {
		m, err := r.Receive()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		if m.Type == proto.Found {
			found[m.Number] = m.Finding
		}
	}
	for n := 1; n <= len(found); n++ {
		d.findings = append(d.findings, *found[n])
	}
	var page counter
	run := &finding.Run{Unknot: "simulator", Command: []string{"simulated"}, MPI: "simulated MPI", Ranks: j.size,
		Findings: d.findings}
	if err := report.HTML(&page, run, report.HTMLOptions{}); err != nil {
		return err
	}
	d.html = int(page)
	return nil
}

// counter counts what is written to it.
type counter int

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}
