package text

import (
	"bufio"
	"fmt"
	"io"
	"strconv"

	"unknot/internal/trace"
	"unknot/internal/vocab/op"
)

// lineWidth is how long a line of calls grows before the next one begins, in bytes.
const lineWidth = 100

// Write writes a log so that Read gives it back. Names of functions, places and communicators are numbered anew, in the
// order in which they are met. What a part has beyond what its kind uses is left out. An error comes from the writer.
func Write(w io.Writer, l *trace.Log) error {
	shapes, err := newShapes()
	if err != nil {
		return err
	}
	f := &formatter{w: bufio.NewWriterSize(w, 1<<16), log: l}
	f.p = parser{shapes: shapes, names: names{seqs: make(map[member]*uint64)},
		population: population{more: make(map[threadName]*thread)}}
	f.head()
	f.communicators()
	f.places()
	f.findNamed()
	for i := range l.Threads {
		f.thread(i)
	}
	if err := f.w.Flush(); err != nil {
		return fmt.Errorf("cannot write the log as text: %w", err)
	}
	return nil
}

// formatter is the state of writing one log.
type formatter struct {
	w     *bufio.Writer
	log   *trace.Log
	p     parser // counts as the reader will
	words []string
	sites []string
	named [][]bool // by thread and part: another call waits for it
	b     []byte   // the line so far
}

func (f *formatter) head() {
	h := &f.log.Head
	fmt.Fprintf(f.w, "ranks %d\n", h.Ranks)
	if len(h.Command) > 0 {
		f.w.WriteString("command")
		for _, word := range h.Command {
			fmt.Fprintf(f.w, " %q", word)
		}
		f.w.WriteByte('\n')
	}
	for _, line := range []struct{ word, text string }{{"mpi", h.MPI}, {"unknot", h.Unknot}, {"start", h.Start},
		{"cut", f.log.Cut}} {
		if line.text != "" {
			fmt.Fprintf(f.w, "%s %q\n", line.word, line.text)
		}
	}
}

// communicators writes a line for each but the first, and for that if it is not MPI_COMM_WORLD as everybody knows it.
func (f *formatter) communicators() {
	used := map[string]bool{worldWord: true}
	for i := range f.log.Comms {
		c := &f.log.Comms[i]
		word, name, keyword := worldWord, worldName, "comm"
		if i > 0 {
			word = "c" + strconv.Itoa(i)
			if isIdentifier(c.Name) && !used[c.Name] && !reserved(c.Name) && !isNumbered(c.Name) {
				word = c.Name
			}
			name = word
		}
		used[word] = true
		f.words = append(f.words, word)
		everybody := i == 0 && f.isWorld(c)
		if everybody && c.ID == 0 && c.Name == worldName && !c.Inner {
			continue
		}
		if c.Inner {
			keyword = "inner"
		}
		fmt.Fprintf(f.w, "%s %s", keyword, word)
		if c.ID != op.CommID(i) {
			fmt.Fprintf(f.w, " id=%#x", uint64(c.ID))
		}
		if c.Name != name {
			fmt.Fprintf(f.w, " name=%q", c.Name)
		}
		if !everybody {
			f.w.WriteByte(':')
			f.members(c.Members)
			if c.Remote != nil {
				f.w.WriteString(" /")
				f.members(c.Remote)
			}
		}
		f.w.WriteByte('\n')
	}
}

// isNumbered says whether a name could be taken for one that communicators without an own are given.
func isNumbered(name string) bool {
	_, err := strconv.Atoi(name[1:])
	return name[0] == 'c' && err == nil
}

func isIdentifier(s string) bool {
	for i := range len(s) {
		if !isWord(s[i]) {
			return false
		}
	}
	return s != "" && !isDigit(s[0])
}

func (f *formatter) isWorld(c *trace.Comm) bool {
	for i, r := range c.Members {
		if int(r) != i {
			return false
		}
	}
	return len(c.Members) == f.log.Head.Ranks && c.Remote == nil
}

// members writes ranks, those in a row as a range.
func (f *formatter) members(ranks []op.Rank) {
	for i := 0; i < len(ranks); {
		n := 1
		for i+n < len(ranks) && ranks[i+n] == ranks[i]+op.Rank(n) {
			n++
		}
		fmt.Fprintf(f.w, " %d", ranks[i])
		if n > 1 {
			fmt.Fprintf(f.w, "-%d", ranks[i+n-1])
		}
		i += n
	}
}

// places writes a line for each place that is more than a file and a line, or has an unusual name.
func (f *formatter) places() {
	f.sites = make([]string, len(f.log.Sites))
	named := make(map[trace.Site]string)
	for i, s := range f.log.Sites {
		s.Stack = 0 // callers are no part of the form
		if s == (trace.Site{}) {
			continue
		}
		short := s.File + ":" + strconv.Itoa(s.Line)
		if back, ok := fileLine([]byte(short)); ok && back == s && isPlainPath(s.File) {
			f.sites[i] = short
			continue
		}
		if f.sites[i] = named[s]; f.sites[i] != "" {
			continue
		}
		f.sites[i] = "s" + strconv.Itoa(i)
		named[s] = f.sites[i]
		fmt.Fprintf(f.w, "site %s", f.sites[i])
		for _, part := range []struct{ word, text string }{{"function", s.Function}, {"file", s.File},
			{"module", s.Module}} {
			if part.text != "" {
				fmt.Fprintf(f.w, " %s=%q", part.word, part.text)
			}
		}
		if s.Line != 0 {
			fmt.Fprintf(f.w, " line=%d", s.Line)
		}
		if s.Offset != 0 {
			fmt.Fprintf(f.w, " offset=%#x", s.Offset)
		}
		f.w.WriteByte('\n')
	}
}

func isPlainPath(path string) bool {
	for i := range len(path) {
		if c := path[i]; !isWord(c) && c != '/' && c != '.' && c != '-' && c != '+' {
			return false
		}
	}
	return true
}

// findNamed marks the parts that need a request's name.
func (f *formatter) findNamed() {
	f.named = make([][]bool, len(f.log.Threads))
	for i := range f.log.Threads {
		t := &f.log.Threads[i]
		for k := range t.Ops {
			o := &t.Ops[k]
			if o.Waiting == 0 || f.isShort(t, o, f.p.shapes.exactly(f.log.Funcs[o.Fn])) {
				continue
			}
			for _, w := range t.WaitsOf(o) {
				if f.named[w.Thread] == nil {
					f.named[w.Thread] = make([]bool, len(f.log.Threads[w.Thread].Parts))
				}
				f.named[w.Thread][w.Part] = true
			}
		}
	}
}

// isOwn says whether a call waits for just what it starts.
func (f *formatter) isOwn(t *trace.Thread, o *trace.Op) bool {
	if !o.Blocking || o.Any || o.Waiting != o.Started {
		return false
	}
	for i, w := range t.WaitsOf(o) {
		of := &f.log.Threads[w.Thread]
		if of != t || w.Part != o.First+uint32(i) || w.Done != o.Returned {
			return false
		}
	}
	return true
}

func (f *formatter) thread(at int) {
	t := &f.log.Threads[at]
	state := f.p.thread(threadName{t.Rank, t.Index})
	begin := "P" + strconv.Itoa(int(t.Rank))
	if t.Index != 0 {
		begin += "." + strconv.Itoa(int(t.Index))
	}
	begin += ":"
	f.b = append(f.b[:0], begin...)
	if len(t.Ops) == 0 && t.Index == 0 {
		return
	}
	for i := range t.Ops {
		if len(f.b) > lineWidth {
			f.w.Write(append(f.b, '\n'))
			f.b = append(f.b[:0], begin...)
		}
		f.b = append(f.b, ' ')
		f.call(at, t, state, &t.Ops[i])
	}
	f.w.Write(append(f.b, '\n'))
}
