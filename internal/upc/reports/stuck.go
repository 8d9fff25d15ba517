package reports

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"

	"unknot/internal/kit/symbol"
	"unknot/internal/model/waitfor"
	"unknot/internal/upc/layout"
	"unknot/internal/vocab/finding"
)

// placed are the places at which threads wait.
func placed(now []wait) []finding.Place {
	resolve := symbol.New()
	defer resolve.Close()
	return placesOf(now, func(w *wait) at {
		maps, err := w.memory()
		if err != nil {
			return at{}
		}
		return where(resolve, maps, w.stack)
	})
}

func placesOf(now []wait, where func(*wait) at) []finding.Place {
	places := make([]finding.Place, len(now))
	for i := range now {
		places[i] = placeOf(now, i, where(&now[i]))
	}
	return places
}

// describe makes the finding of threads that all wait for ever, at some places.
func describe(now []wait, places []finding.Place) finding.Finding {
	f := finding.Finding{Code: finding.UPCDeadlock, Severity: finding.Error, Standing: finding.Manifest,
		Language: finding.UPC, Count: 1,
		Ranks: []int{}, Places: []finding.Place{}}
	core := core(now)
	for i := range now {
		if core[i] {
			f.Ranks = append(f.Ranks, i)
			f.Places = append(f.Places, places[i])
		} else {
			f.Others = append(f.Others, places[i])
		}
	}
	f.Sentence = "Deadlock: " + joined(sayings(f.Places)) + "."
	f.Hint = "compile the program with upc-check instead of unknot upcc, which reports more"
	if slices.ContainsFunc(now, func(w wait) bool { return w.kind == layout.AtLock }) {
		f.Hint += ": which lock it is, who holds it and since where"
	}
	return f
}

func placeOf(now []wait, i int, here at) finding.Place {
	w := &now[i]
	p := finding.Place{Rank: w.thread, State: "blocked", Call: here.operation, Stack: here.stack, WaitsFor: []int{},
		PID: w.pid, Host: w.host}
	if len(here.stack) > 0 {
		p.Frame = here.stack[0]
	}
	if p.Call == "" && w.kind == layout.AtLock {
		p.Call = "upc_lock"
	}
	switch w.kind {
	case layout.AtEnd:
		p.State, p.Call = "finished", "exit"
		if len(here.stack) == 0 {
			p.Call = "return from main"
		}
		return p
	case layout.AtLock:
		p.WaitsFor, p.Meaning.Lock = []int{w.waited}, true
		p.Reason = fmt.Sprintf("a lock that thread %d holds or gets first", w.waited)
		return p
	}
	for t := range now {
		if now[t].kind != w.kind || now[t].number != w.number {
			p.WaitsFor = append(p.WaitsFor, t)
		}
	}
	return p
}

// core are the threads of a circle of locks, that with the lowest thread, or all if there is none.
func core(now []wait) map[int]bool {
	g := waitfor.New(len(now))
	for i := range now {
		if now[i].kind == layout.AtLock && now[i].waited >= 0 {
			g.Block(waitfor.Node(i), []waitfor.Node{waitfor.Node(now[i].waited)})
		}
	}
	in := map[int]bool{}
	if circles := g.Cores(0); len(circles) > 0 {
		for _, n := range slices.MinFunc(circles, slices.Compare) {
			in[int(n)] = true
		}
		return in
	}
	for i := range now {
		in[i] = true
	}
	return in
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
