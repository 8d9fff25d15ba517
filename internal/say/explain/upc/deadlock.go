package upc

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"unknot/internal/upc/layout"
	"unknot/internal/vocab/finding"
)

// Deadlock is threads that all wait forever.
type Deadlock struct {
	Core   []Waiting // the threads of a circle of locks; all if there is none
	Others []Waiting
}

// Waiting is a thread that waits, or has ended.
type Waiting struct {
	Thread, PID int
	Host        string
	Kind        layout.WaitKind
	Operation   string // of UPC; "" if that is not known
	Stack       []finding.Frame
	For         []int         // whom it waits for
	Since       time.Duration // how long it has been seen there, by a Keeper
}

// Finding is that of the deadlock.
func (d *Deadlock) Finding() finding.Finding {
	f := manifest(finding.UPCDeadlock)
	f.Ranks, f.Places = []int{}, []finding.Place{}
	for i := range d.Core {
		f.Ranks = append(f.Ranks, d.Core[i].Thread)
		f.Places = append(f.Places, d.Core[i].place())
	}
	for i := range d.Others {
		f.Others = append(f.Others, d.Others[i].place())
	}
	f.Sentence = "Deadlock: " + joined(sayings(f.Places)) + "."
	f.Hint = "compile the program with upc-check instead of unknot upcc, which reports more"
	if slices.ContainsFunc(slices.Concat(d.Core, d.Others), func(w Waiting) bool { return w.Kind == layout.AtLock }) {
		f.Hint += ": which lock it is, who holds it and since where"
	}
	return f
}

// place is the part of the thread.
func (w *Waiting) place() finding.Place {
	p := finding.Place{Rank: w.Thread, State: "blocked", Call: w.Operation, Stack: w.Stack, WaitsFor: []int{},
		PID: w.PID, Host: w.Host}
	if len(w.Stack) > 0 {
		p.Frame = w.Stack[0]
	}
	if p.Call == "" && w.Kind == layout.AtLock {
		p.Call = "upc_lock"
	}
	switch w.Kind {
	case layout.AtEnd:
		p.State, p.Call = "finished", "exit"
		if len(w.Stack) == 0 {
			p.Call = "return from main"
		}
		return p
	case layout.AtLock:
		p.Meaning.Lock = true
		p.Reason = fmt.Sprintf("a lock that thread %d holds or gets first", w.For[0])
	}
	p.WaitsFor = append(p.WaitsFor, w.For...)
	return p
}

// Standings say where threads of a host waited when it was seen last, those in one place together.
func Standings(host string, waits []Waiting) (list []string) {
	var places []finding.Place
	for i := range waits {
		places = append(places, waits[i].place())
	}
	for _, s := range sayings(places) {
		if s.ended {
			continue
		}
		least := time.Duration(-1)
		for _, i := range s.of {
			if least < 0 || waits[i].Since < least {
				least = waits[i].Since
			}
		}
		noun := "thread"
		if len(s.who) > 1 {
			noun = "threads"
		}
		list = append(list, fmt.Sprintf("%s %s on %s last %s, for %s", noun, finding.JoinAnd(s.who), host, s.what,
			least.Round(100*time.Millisecond)))
	}
	return list
}

// saying is what some threads are at, in words.
type saying struct {
	what         string
	who          []string
	of           []int // their places
	ended, waits bool
}

// joined makes a sentence of what is said of all threads. Long parts have a comma between them.
func joined(all []saying) string {
	var parts []string
	for i := range all {
		s := &all[i]
		noun, verb := "thread ", " is "
		if s.ended {
			verb = " has "
		}
		if len(s.who) > 1 {
			noun, verb = "threads ", map[string]string{" is ": " are ", " has ": " have "}[verb]
		}
		parts = append(parts, noun+finding.JoinAnd(s.who)+verb+s.what)
	}
	if len(all) > 0 && all[0].waits {
		return finding.JoinLong(parts)
	}
	return finding.JoinAnd(parts)
}

// sayings say of each thread what it is at: "threads 0, 2 and 3 are at upc_barrier (a.upc:7)".
func sayings(places []finding.Place) []saying {
	var all []saying
	at := map[string]int{}
	for of, p := range places {
		what := "at " + p.Call
		if p.Call == "" {
			what = "at an operation of the runtime"
		}
		if p.State == "finished" {
			what = "ended"
		}
		if p.File != "" {
			what += fmt.Sprintf(" (%s:%d)", filepath.Base(p.File), p.Line)
		}
		if p.Reason != "" {
			what += " and waits for " + p.Reason
		}
		i, said := at[what]
		if !said {
			i = len(all)
			at[what] = i
			all = append(all, saying{what: what, ended: p.State == "finished", waits: p.Reason != ""})
		}
		all[i].who, all[i].of = append(all[i].who, strconv.Itoa(p.Rank)), append(all[i].of, of)
	}
	return all
}
