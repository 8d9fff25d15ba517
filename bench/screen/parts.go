package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"unknot/internal/predict"
	"unknot/internal/trace"
	"unknot/internal/trace/file"
	"unknot/internal/trace/text"
)

// stencil is a log of ranks in a row that exchange with both neighbours in each round; every 16th receives a result of
// the 15 others after it by wildcards, and a reduction ends the round.
func stencil(ranks, rounds int) string {
	const group = 16
	var b strings.Builder
	fmt.Fprintf(&b, "ranks %d\n", ranks)
	for r := range ranks {
		fmt.Fprintf(&b, "P%d:", r)
		for range rounds {
			for d, n := range []int{(r + 1) % ranks, (r + ranks - 1) % ranks} {
				fmt.Fprintf(&b, " Irecv(%d,%d)=r%d Isend(%d,%d)=s%d", n, d, d, n, 1-d, d)
			}
			b.WriteString(" Waitall(r0,r1,s0,s1)")
			if r%group != 0 {
				fmt.Fprintf(&b, " Send(%d,9)", r/group*group)
			} else {
				b.WriteString(strings.Repeat(" Recv(*,9)", min(group, ranks-r)-1))
			}
			b.WriteString(" Allreduce")
		}
		b.WriteString("\n")
	}
	return b.String()
}

const partsOpening = `The log of a stencil with masters is dealt out to hosts, in blocks of ranks; each host is a
process with its own directory. *Memory* is that of the largest process; the rows with one host are those of a process
that screens the whole log. Bytes are exchanged between the hosts and the process that asks them.

| ranks | calls | hosts | memory | messages between hosts | bytes exchanged | bytes of the traces | rounds |
|---|---|---|---|---|---|---|---|
`

// parts is a table of what hosts exchange to screen a log of which each has a part in its own directory.
func (b *bench) parts() (string, error) {
	out := partsOpening
	for _, of := range []struct{ ranks, rounds int }{{64, 100}, {256, 250}, {1024, 250}} {
		l, err := text.Read(strings.NewReader(stencil(of.ranks, of.rounds)), "stencil")
		if err != nil {
			return "", err
		}
		calls, _ := size(l)
		for _, hosts := range []int{1, 2, 4, 8} {
			row, err := b.dealt(l, hosts)
			if err != nil {
				return "", err
			}
			out += fmt.Sprintf("| %s | %s | %d | %s |\n", grouped(of.ranks), grouped(calls), hosts, row)
		}
	}
	return out, nil
}

// dealt screens a log in parts of some hosts. It gives the columns from the memory on.
func (b *bench) dealt(l *trace.Log, hosts int) (string, error) {
	var names []string
	var bytes int64
	for h := range hosts {
		part := *l
		part.Threads = nil
		for _, t := range l.Threads {
			if int(t.Rank)*hosts/len(l.Threads) != h {
				t = trace.Thread{Rank: t.Rank, Index: t.Index}
			}
			part.Threads = append(part.Threads, t)
		}
		dir := filepath.Join(b.dir, fmt.Sprintf("host%d", h))
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return "", err
		}
		name := filepath.Join(dir, "run.unk")
		if err := file.Write(name, &part); err != nil {
			return "", err
		}
		info, err := os.Stat(name)
		if err != nil {
			return "", err
		}
		names, bytes = append(names, name), bytes+info.Size()
	}
	run, e, err := predict.Parts(b.ctx, names, predict.Options{Version: "bench", ScreenOnly: true, Self: b.unknot})
	if err != nil {
		return "", err
	}
	if !e.Decided {
		return "", fmt.Errorf("the parts of %d hosts had to be joined: %s", hosts, run.Verdict)
	}
	most := uint64(0)
	for _, peak := range e.Peaks {
		most = max(most, peak)
	}
	return fmt.Sprintf("%d MiB | %s | %s | %s | %d", most>>20, grouped(e.Crossings), grouped(e.Bytes),
		grouped(int(bytes)), e.Rounds), nil
}
