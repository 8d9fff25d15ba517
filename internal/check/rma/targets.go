package rma

import (
	"unknot/internal/check"
	"unknot/internal/vocab/op"
)

// targets are the windows of an agent's ranks as memory that others access.
type targets struct {
	windows map[targetKey]*target
	early   []*batch  // for windows that are not known yet
	later   []later   // the same of accesses of the program's own
	gone    []*target // freed lately: other ranks may still have to tell of them
	acts    int       // in these
}

// later is what is to be done once a window is known.
type later struct {
	key targetKey
	do  func(*target)
}

type targetKey struct {
	id    uint64
	world op.Rank
}

// target is a window as memory that others access.
type target struct {
	win       *window
	exposures []*exposure // the last ones
	byKey     map[epochKey]*exposure
	placed    int // acts in these
	kept      int // acts that there were when the window was freed
	posts     uint64
	postsFor  map[op.Rank]uint64 // exposure epochs so far, by origin
	postOf    map[postKey]uint64 // the number of such an exposure among all
	strays    []stray
	held      exposure // what was done under locks
	waiting   []*batch // of access epochs whose exposure epoch has not been seen
}

type postKey struct {
	origin op.Rank
	nth    uint64
}

// Bounds of what is remembered. What exceeds them is not judged.
const (
	maxEarly     = 1 << 12
	maxGoneWins  = 1 << 12 // the log of one rank may be read many windows ahead of another's
	maxGoneActs  = 1 << 16 // acts in all of these, except for the last few
	fewGoneWins  = 64
	maxWaiting   = 256
	maxExposures = 1 << 10 // of a window: the log of one rank may be read many epochs ahead of another's
	maxKept      = 1 << 14 // acts in all of these, except for the last few
	fewExposures = 16
)

func newTargets() targets { return targets{windows: make(map[targetKey]*target)} }

// add makes a window known, and takes in what others have already sent about it.
func (t *targets) add(to *check.Watch, far *remote, w *window) {
	if w.id == 0 {
		return
	}
	key := targetKey{w.id, op.Rank(w.rank.World)}
	t.windows[key] = &target{win: w, byKey: make(map[epochKey]*exposure), postsFor: make(map[op.Rank]uint64),
		postOf: make(map[postKey]uint64)}
	kept := t.later[:0]
	for _, l := range t.later {
		if l.key == key {
			l.do(t.windows[key])
		} else {
			kept = append(kept, l)
		}
	}
	clear(t.later[len(kept):])
	t.later = kept
	early := t.early
	t.early = nil
	for _, b := range early {
		if (targetKey{b.win, b.to}) == key {
			far.arrived(to, b)
		} else {
			t.early = append(t.early, b)
		}
	}
}

// when does something with a window as soon as it is known.
func (t *targets) when(key targetKey, do func(*target)) {
	if x := t.windows[key]; x != nil {
		do(x)
	} else if len(t.later) < maxEarly {
		t.later = append(t.later, later{key, do})
	}
}

// drop keeps a freed window for a while.
func (t *targets) drop(w *window) {
	key := targetKey{w.id, op.Rank(w.rank.World)}
	x := t.windows[key]
	if x == nil || x.win != w {
		return
	}
	x.kept = x.placed + len(x.held.list)
	t.acts += x.kept
	t.gone = append(t.gone, x)
	for len(t.gone) > maxGoneWins || t.acts > maxGoneActs && len(t.gone) > fewGoneWins {
		old := t.gone[0]
		t.gone[0] = nil
		t.gone = t.gone[1:]
		t.acts -= old.kept
		delete(t.windows, targetKey{old.win.id, op.Rank(old.win.rank.World)})
	}
}

func (t *targets) of(w *window) *target { return t.windows[targetKey{w.id, op.Rank(w.rank.World)}] }

// exposure is the exposure epoch with a key, made if it is new.
func (t *target) exposure(k epochKey) *exposure {
	if e := t.byKey[k]; e != nil {
		return e
	}
	e := &exposure{key: k}
	t.byKey[k] = e
	t.exposures = append(t.exposures, e)
	for len(t.exposures) > maxExposures || t.placed > maxKept && len(t.exposures) > fewExposures {
		oldest := t.exposures[0]
		t.exposures[0] = nil
		t.exposures = t.exposures[1:]
		t.placed -= len(oldest.list)
		delete(t.byKey, oldest.key)
	}
	return e
}
