package reports

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"unknot/internal/kit/symbol"
	"unknot/internal/upc/layout"
)

// wait is what a thread says of itself in its file: layout.Waits.
type wait struct {
	job             uint64
	thread, threads int
	pid             int
	turn, looks     uint64
	kind            layout.WaitKind
	waited          int // the thread that is waited for, -1 if it is not one
	number          uint64
	stack           []uint64
	host            string // where it is, if its file was copied from there …
	maps            string // … with its memory map
}

// memory is the memory map of the thread's process.
func (w *wait) memory() (*symbol.Maps, error) {
	if w.host != "" {
		return symbol.ParseMaps(w.pid, w.maps), nil
	}
	return symbol.ReadMaps(w.pid)
}

// waiting says whether the thread waits, and has for a while.
func (w *wait) waiting() bool { return w.turn%2 == 1 }

// parse reads the words of a thread; ok is false if they are not there yet, or cannot be right. A file of another
// version is an error.
func parse(text []byte) (w wait, ok bool, err error) {
	if len(text) < wordSize {
		return wait{}, false, nil
	}
	version, ok := layout.WaitsVersion(binary.NativeEndian.Uint64(text))
	if !ok {
		return wait{}, false, nil
	}
	if err := layout.CheckVersion(version); err != nil {
		return wait{}, false, err
	}
	var words layout.Waits
	if _, err := binary.Decode(text, binary.NativeEndian, &words); err != nil {
		return wait{}, false, nil // it is too short
	}
	w = wait{job: words.Job, thread: int(words.Thread), threads: int(words.Threads), pid: int(words.PID),
		turn: words.Turn, looks: words.Looks,
		kind: words.Kind, waited: int(words.Waited) - 1, number: words.Number}
	if w.threads < 1 || w.threads > mostThreads || w.thread < 0 || w.thread >= w.threads || w.waited >= w.threads {
		return wait{}, false, nil
	}
	w.stack = append(w.stack, words.Stack[:min(words.Frames, uint64(len(words.Stack)))]...)
	return w, true, nil
}

const wordSize = 8

// waits reads the files of all threads of a session, those of each job in the order of the threads. Files of another
// version are left out; err says which.
func waits(session string) (all map[uint64][]wait, err error) {
	all = map[uint64][]wait{}
	for _, name := range filesOf(session) {
		text, failed := os.ReadFile(name)
		if failed != nil {
			continue
		}
		w, ok, other := parse(text)
		if other != nil {
			err = other
		}
		if ok {
			if suffix := suffixOf(name); strings.Contains(suffix, ".") {
				// a thread that has not waited yet has none
				text, _ := os.ReadFile(filepath.Join(session, mapsPrefix+suffix))
				w.host, w.maps, _ = strings.Cut(string(text), "\n")
			}
			all[w.job] = append(all[w.job], w)
		}
	}
	for _, job := range all {
		slices.SortFunc(job, func(a, b wait) int { return a.thread - b.thread })
	}
	return all, err
}

// Threads is the number of threads of the UPC program of a session, 0 if there is none.
func Threads(session string) int {
	n := 0
	all, _ := waits(session) // Read says what cannot be read
	for _, job := range all {
		n = max(n, job[0].threads)
	}
	return n
}
