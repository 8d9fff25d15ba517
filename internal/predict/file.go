// Package predict says what follows from a recorded run: deadlocks that other matches or less buffering would bring
// about. Package exact decides, package screen works in linear time, and say/explain/unobserved puts the answer in
// words.
package predict

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"unknot/internal/predict/exact"
	"unknot/internal/say/explain/unobserved"
	"unknot/internal/trace"
	"unknot/internal/trace/file"
	"unknot/internal/trace/text"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
)

// Options say how a recorded run is judged.
type Options struct {
	Exact      exact.Options
	ScreenOnly bool
	Version    string
	Self       string // unknot, for the processes that read parts; "" if this process is one
}

// File judges what a file holds: a recorded run, or a text log.
func File(ctx context.Context, path string, o Options) (*finding.Run, error) {
	start := time.Now()
	l, err := Read(path)
	if err != nil {
		return nil, err
	}
	table, err := mpi.Load()
	if err != nil {
		return nil, err
	}
	run := &finding.Run{Schema: finding.Schema, Unknot: o.Version, Command: l.Head.Command, MPI: l.Head.MPI,
		Ranks: l.Head.Ranks, Complete: true,
		Start: l.Head.Start, Findings: []finding.Finding{}}
	for i := range l.Threads {
		run.Calls += uint64(len(l.Threads[i].Ops))
	}
	if o.ScreenOnly {
		screened(run, l, table)
		run.Seconds = time.Since(start).Seconds()
		return run, nil
	}
	r, err := exact.Predict(ctx, l, table, o.Exact)
	if err != nil {
		return nil, err
	}
	run.Findings = append(run.Findings, unobserved.Findings(l, r)...)
	judge(run, r, &o.Exact)
	run.Seconds = time.Since(start).Seconds()
	return run, nil
}

// Read reads a recorded run or a text log; the first bytes tell which.
func Read(path string) (*trace.Log, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%w; hint: unknot run --trace FILE … makes one", err)
	}
	defer f.Close()
	first := make([]byte, 512)
	n, err := io.ReadFull(f, first)
	if err != nil && n == 0 {
		return file.Read(path) // its sentence on an empty file
	}
	if bytes.IndexByte(first[:n], 0) >= 0 {
		return file.Read(path)
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	return text.Read(f, path)
}
