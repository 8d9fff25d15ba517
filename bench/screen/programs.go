package main

import (
	"bytes"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"

	"unknot/internal/predict"
	"unknot/internal/predict/screen"
	"unknot/internal/trace"
	"unknot/internal/vocab/op"
)

// program is one of the paper, with the deadlock that it reports there.
type program struct{ name, file, theirs string }

func programs() []program {
	return []program{
		{"Diffusion", "diffusion.txt", "none"}, {"DTG", "dtg.txt", "first send of process 1"},
		{"Integrate", "integrate.txt", "none"}, {"Floyd", "floyd.txt", "none"},
	}
}

// logs is where they are.
const logs = "internal/predict/screen/testdata"

// programs is a table of the programs, and the path that leads to each deadlock.
func (b *bench) programs() (string, error) {
	table := "*Theirs* is what the paper reports. *Pseudo-code* is the number of flags of its pseudo-code, repeated\n" +
		"until nothing changes; *screening* is what `unknot predict --screen` flags, and *prediction* what `unknot\n" +
		"predict` says. The logs are in [`internal/predict/screen/testdata`](../../" + logs + ").\n\n" +
		"| program | processes | calls | wildcard receives | theirs | pseudo-code | screening | prediction |\n" +
		"|---|---|---|---|---|---|---|---|\n"
	paths := ""
	for _, p := range programs() {
		path := filepath.Join(logs, p.file)
		l, err := predict.Read(path)
		if err != nil {
			return "", err
		}
		r := screen.Log(l)
		flags := "none: free for the recorded calls"
		if !r.Certificate() {
			flags = ""
			for i, f := range r.Flags {
				if i > 0 {
					flags += ", "
				}
				flags += fmt.Sprintf("%s: process %d, call %d", f.Reason, l.Threads[f.At.Thread].Rank, f.At.Op+1)
			}
		}
		text, err := b.prediction(path)
		if err != nil {
			return "", err
		}
		verdict, _, _ := strings.Cut(text, "\n")
		verdict, _, _ = strings.Cut(strings.TrimPrefix(verdict, "unknot: "), ":")
		calls, wild := size(l)
		table += fmt.Sprintf("| %s | %d | %d | %d | %s | %d | %s | %s |\n", p.name, len(l.Threads), calls, wild,
			p.theirs, published(l), flags, verdict)
		if strings.HasPrefix(verdict, "predicted") {
			paths += fmt.Sprintf("\nThe path of %s, by `unknot predict %s`:\n\n```text\n%s\n```\n", p.name, p.file,
				strings.TrimSpace(text))
		}
	}
	return table + paths, nil
}

// prediction is what unknot predict says of a log.
func (b *bench) prediction(path string) (string, error) {
	var out bytes.Buffer
	command := exec.CommandContext(b.ctx, b.unknot, "predict", "--color=never", path)
	command.Stdout, command.Stderr = &out, &out
	err := command.Run()
	var status *exec.ExitError
	if errors.As(err, &status) && status.ExitCode() == 66 {
		err = nil
	}
	return out.String(), err
}

func size(l *trace.Log) (calls, wild int) {
	for i := range l.Threads {
		calls += len(l.Threads[i].Ops)
		for k := range l.Threads[i].Parts {
			if p := &l.Threads[i].Parts[k]; p.Kind == op.Recv && (p.Wild || p.Peer == op.AnySource) {
				wild++
			}
		}
	}
	return calls, wild
}

// published is the number of flags of the paper's pseudo-code.
func published(l *trace.Log) (flags int) {
	order := make([]int, len(l.Threads))
	for i := range order {
		order[i] = i
	}
	for _, own := range screen.Published(l, order, true) {
		for _, c := range own {
			if c.Flagged {
				flags++
			}
		}
	}
	return flags
}
