package told

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
)

// wait is what a thread says of itself in its file: the words of watched.c.
type wait struct {
	job             uint64
	thread, threads int
	pid             int
	turn, looks     uint64
	kind            kind
	waited          int // the thread that is waited for, -1 if it is not one
	number          uint64
	stack           []uint64
}

// kind is what a thread waits in.
type kind uint64

const (
	atBarrier kind = 1 + iota
	atEnd
	atLock
	atExchange
)

// Where the words are.
const (
	wordMagic = iota
	wordJob
	wordThread
	wordThreads
	wordPID
	wordTurn
	wordLooks
	wordKind
	wordWaited
	wordNumber
	wordFrames
	wordStack
	words = 64
	magic = 0x31737469617763
)

// waiting says whether the thread waits, and has for a while.
func (w *wait) waiting() bool { return w.turn%2 == 1 }

// parse reads the words of a thread; false if they are not there yet.
func parse(text []byte) (wait, bool) {
	if len(text) < 8*words {
		return wait{}, false
	}
	word := func(i int) uint64 { return binary.NativeEndian.Uint64(text[8*i:]) }
	w := wait{job: word(wordJob), thread: int(word(wordThread)), threads: int(word(wordThreads)), pid: int(word(wordPID)), turn: word(wordTurn),
		looks: word(wordLooks), kind: kind(word(wordKind)), waited: int(word(wordWaited)) - 1, number: word(wordNumber)}
	if word(wordMagic) != magic || w.threads < 1 || w.threads > mostThreads || w.thread < 0 || w.thread >= w.threads || w.waited >= w.threads {
		return wait{}, false
	}
	for i := range min(word(wordFrames), words-wordStack) {
		w.stack = append(w.stack, word(wordStack+int(i)))
	}
	return w, true
}

// waits reads the files of all threads of a session, those of each job in the order of the threads.
func waits(session string) map[uint64][]wait {
	names, _ := filepath.Glob(filepath.Join(session, "upc.[0-9]*"))
	all := map[uint64][]wait{}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			continue
		}
		if w, ok := parse(text); ok {
			all[w.job] = append(all[w.job], w)
		}
	}
	for _, job := range all {
		slices.SortFunc(job, func(a, b wait) int { return a.thread - b.thread })
	}
	return all
}

// Threads is the number of threads of the UPC program of a session, 0 if there is none.
func Threads(session string) int {
	n := 0
	for _, job := range waits(session) {
		n = max(n, job[0].threads)
	}
	return n
}
