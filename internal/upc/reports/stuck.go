package reports

import (
	"slices"
	"unknot/internal/kit/symbol"
	"unknot/internal/model/waitfor"
	"unknot/internal/say/explain/upc"
	"unknot/internal/upc/layout"
	"unknot/internal/vocab/finding"
)

// placed are threads that wait, each with its place.
func placed(now []wait) []upc.Waiting {
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

func placesOf(now []wait, where func(*wait) at) []upc.Waiting {
	places := make([]upc.Waiting, len(now))
	for i := range now {
		places[i] = placeOf(now, i, where(&now[i]))
	}
	return places
}

// describe makes the finding of threads that all wait forever, at some places.
func describe(now []wait, places []upc.Waiting) finding.Finding {
	var d upc.Deadlock
	core := core(now)
	for i := range now {
		if core[i] {
			d.Core = append(d.Core, places[i])
		} else {
			d.Others = append(d.Others, places[i])
		}
	}
	return d.Finding()
}

func placeOf(now []wait, i int, here at) upc.Waiting {
	w := &now[i]
	p := upc.Waiting{Thread: w.thread, PID: w.pid, Host: w.host, Kind: w.kind, Operation: here.operation,
		Stack: here.stack}
	switch w.kind {
	case layout.AtEnd:
		return p
	case layout.AtLock:
		p.For = []int{w.waited}
		return p
	}
	for t := range now {
		if now[t].kind != w.kind || now[t].number != w.number {
			p.For = append(p.For, t)
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
