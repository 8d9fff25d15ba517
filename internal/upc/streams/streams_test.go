package streams

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"unknot/internal/upc/layout"
)

// thread makes the stream of a thread as its run-time does, in a session.
func thread(t *testing.T, session, id string, number uint64) *Stream {
	t.Helper()
	f, err := os.Create(filepath.Join(session, layout.StreamPrefix+id))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := f.Truncate(int64(streamSize)); err != nil {
		t.Fatal(err)
	}
	s, err := mapped(f)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	s.head.Job, s.head.Thread, s.head.Threads = 77, number, 2
	s.head.Mark = layout.StreamMark
	return s
}

func numbered(from, n int) []layout.Record {
	list := make([]layout.Record, n)
	for i := range list {
		list[i] = layout.Record{Kind: layout.RecordWrite, Site: 3, Offset: uint64(from + i), Size: 8, Count: 1}
	}
	return list
}

// TestWhatThreadsRecordIsCopied carries twice what a ring holds from one session to another, where a reader takes it
// from time to time.
func TestWhatThreadsRecordIsCopied(t *testing.T) {
	there, here := t.TempDir(), t.TempDir()
	writers := []*Stream{thread(t, there, "410", 0), thread(t, there, "411", 1)}
	copier, paster := NewCopier(there), NewPaster(here, 5)
	defer copier.Close()
	defer paster.Close()
	sites := filepath.Join(there, layout.SitesPrefix+"410")
	if err := os.WriteFile(sites, []byte("{}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	const part = layout.StreamRecords / 4
	var readers [2]*Stream
	var got [2][]layout.Record
	for i := range 8 {
		for k, w := range writers {
			if err := w.add(t.Context(), numbered(i*part+k, part)); err != nil {
				t.Fatal(err)
			}
		}
		c := copier.Take(i == 0)
		if c == nil || len(c.Threads) != 2 || (len(c.Sites) > 0) != (i == 0) {
			t.Fatalf("copy %d: %+v", i, c)
		}
		if err := paster.Paste(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		for k, id := range []string{"5.410", "5.411"} {
			path := filepath.Join(here, layout.StreamPrefix+id)
			if readers[k] == nil {
				var err error
				if readers[k], err = Open(path); err != nil || readers[k] == nil {
					t.Fatalf("%v, %v", readers[k], err)
				}
				defer readers[k].Close()
			}
			if !Copied(path) || readers[k].Job() != 77 || readers[k].Thread() != k || readers[k].Threads() != 2 ||
				readers[k].Closed() {
				t.Errorf("%s: job %d, thread %d of %d, closed %v", id, readers[k].Job(), readers[k].Thread(),
					readers[k].Threads(), readers[k].Closed())
			}
			got[k] = readers[k].Take(got[k])
		}
	}
	for k := range got {
		want := numbered(k, 0)
		for i := range 8 {
			want = append(want, numbered(i*part+k, part)...)
		}
		if len(got[k]) != len(want) {
			t.Fatalf("thread %d: %d records, want %d", k, len(got[k]), len(want))
		}
		for i := range want {
			if got[k][i] != want[i] {
				t.Fatalf("thread %d: record %d is %+v, want %+v", k, i, got[k][i], want[i])
			}
		}
	}
	if c := copier.Take(true); c != nil {
		t.Errorf("nothing has come, but a copy has %+v", c)
	}
	writers[1].head.Closed = 1
	if err := os.WriteFile(sites, []byte("{}\n{}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c := copier.Take(true)
	if c == nil || len(c.Threads) != 1 || !c.Threads[0].Closed || string(c.Sites) != "{}\n{}\n" {
		t.Fatalf("%+v", c)
	}
	if err := paster.Paste(t.Context(), c); err != nil || !readers[1].Closed() {
		t.Errorf("%v, closed %v", err, readers[1].Closed())
	}
	if text, err := os.ReadFile(filepath.Join(here, layout.SitesPrefix+"5")); err != nil || string(text) != "{}\n{}\n" {
		t.Errorf("%q, %v", text, err)
	}
	if c := copier.Take(true); c != nil {
		t.Errorf("the thread has ended, but a copy has %+v", c)
	}
}

// TestPastingWaitsForTheReader has nobody read what is pasted.
func TestPastingWaitsForTheReader(t *testing.T) {
	there, here := t.TempDir(), t.TempDir()
	w := thread(t, there, "12", 0)
	copier, paster := NewCopier(there), NewPaster(here, 1)
	defer copier.Close()
	defer paster.Close()
	for i := range 2 {
		if err := w.add(t.Context(), numbered(0, layout.StreamRecords)); err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer stop()
		err := paster.Paste(ctx, copier.Take(true))
		if full := i == 1; full != errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("paste %d: %v", i, err)
		}
	}
}

// TestFilesThatAreNoStreams has a damaged file in the session, and a copy that no host can have sent.
func TestFilesThatAreNoStreams(t *testing.T) {
	there := t.TempDir()
	for id, mark := range map[string]uint64{"1": layout.StreamMark + 1, "2": 0} {
		s := thread(t, there, id, 0)
		s.head.Mark = mark
	}
	copier := NewCopier(there)
	defer copier.Close()
	c := copier.Take(true)
	if c == nil || len(c.Threads) != 0 || len(c.Bad) != 1 ||
		!strings.Contains(c.Bad[0], "upc-race.1: it is no stream of accesses; hint: compile the program") {
		t.Fatalf("%+v", c)
	}
	if c := copier.Take(true); c != nil {
		t.Errorf("it is told twice: %+v", c)
	}
	paster := NewPaster(t.TempDir(), 1)
	defer paster.Close()
	for _, bad := range []Thread{{ID: "../1", Threads: 1}, {ID: "1"}, {ID: "1", Threads: 2, Thread: 2},
		{ID: "1", Threads: mostThreads + 1}} {
		if err := paster.Paste(t.Context(), &Copy{Threads: []Thread{bad}}); err == nil {
			t.Errorf("%+v was taken", bad)
		}
	}
}
