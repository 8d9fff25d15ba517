package text

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"unknot/internal/trace"
	"unknot/internal/trace/file"
	"unknot/internal/vocab/op"
)

// kept writes a log to a file, and reads that.
func kept(t *rapid.T, path string, l *trace.Log) *trace.Log {
	if err := file.Write(path, l); err != nil {
		t.Fatal(err)
	}
	return readFile(t, path)
}

func readFile(t *rapid.T, path string) *trace.Log {
	l, err := file.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// TestLogsOfHostsMakeTheLogOfTheJob gives the ranks of a job to two hosts, and joins what each has. The hosts know
// functions and sites in orders of their own.
func TestLogsOfHostsMakeTheLogOfTheJob(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	rapid.Check(t, func(t *rapid.T) {
		l := drawLog(t)
		ids := make(map[op.CommID]bool) // two things have two identities in a run
		for _, c := range l.Comms {
			if ids[c.ID] {
				t.Skip("not a log of a run")
			}
			ids[c.ID] = true
		}
		for i := range l.Threads { // what a thread waits for was started by one of its process
			for k := range l.Threads[i].Waits {
				if w := &l.Threads[i].Waits[k]; l.Threads[w.Thread].Rank != l.Threads[i].Rank ||
					len(l.Threads[w.Thread].Ops) == 0 {
					w.Thread = uint32(i)
				}
			}
		}
		first := rapid.SliceOfN(rapid.Bool(), l.Head.Ranks, l.Head.Ranks).Draw(t, "first host")
		of := func(host bool) *trace.Log {
			part := &trace.Log{Head: l.Head, Comms: l.Comms, Sites: slices.Clone(l.Sites), Funcs: slices.Clone(l.Funcs),
				Cut: l.Cut}
			if host { // the other order
				slices.Reverse(part.Sites[1:])
				slices.Reverse(part.Funcs)
			}
			for _, th := range l.Threads {
				if first[th.Rank] != host {
					th = trace.Thread{Rank: th.Rank, Index: th.Index}
				}
				c := trace.Thread{Rank: th.Rank, Index: th.Index, Parts: slices.Clone(th.Parts),
					Waits: slices.Clone(th.Waits)}
				for _, o := range th.Ops {
					if host {
						o.Fn = uint16(len(l.Funcs)-1) - o.Fn
						if o.Site > 0 {
							o.Site = uint32(len(l.Sites)) - o.Site
						}
					}
					c.Ops = append(c.Ops, o)
				}
				part.Threads = append(part.Threads, c)
			}
			return part
		}
		kept(t, path("first"), of(true))
		kept(t, path("second"), of(false))
		var from []*file.Survey
		for _, name := range []string{"first", "second"} {
			s, err := file.Look(path(name))
			if err != nil {
				t.Fatal(err)
			}
			from = append(from, s)
		}
		if err := file.Join(path("joined"), from, ""); err != nil {
			t.Fatal(err)
		}
		got, l := readFile(t, path("joined")), kept(t, path("whole"), l)
		want := normal(l)
		// Threads without calls are not distinguished from those of other hosts: of each rank one is left if it has no
		// other.
		want.Threads = slices.DeleteFunc(want.Threads, func(th trace.Thread) bool { return len(th.Ops) == 0 })
		back := normal(got)
		back.Threads = slices.DeleteFunc(back.Threads, func(th trace.Thread) bool { return len(th.Ops) == 0 })
		for i := range want.Threads { // waits name threads by number, which is another one where some are left out
			waits(l, &want.Threads[i])
		}
		for i := range back.Threads {
			waits(got, &back.Threads[i])
		}
		if diff := cmp.Diff(want, back); diff != "" {
			t.Fatalf("joined (- job, + joined):\n%s", diff)
		}
		have := make([]bool, l.Head.Ranks)
		for _, th := range got.Threads {
			have[th.Rank] = true
		}
		if slices.Contains(have, false) {
			t.Fatalf("some rank has no thread: %v", have)
		}
	})
}

// waits has the waits of a thread name threads by rank and index.
func waits(l *trace.Log, t *trace.Thread) {
	for i := range t.Waits {
		w := &t.Waits[i]
		to := &l.Threads[w.Thread]
		w.Thread = uint32(to.Rank)<<16 | uint32(uint16(to.Index))
	}
}
