//go:build !quick

package probe

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"unknot/internal/observe/ring"
)

// effect is what a record does that may be left out, as the writer's driver takes it from its number.
type effect struct{ kind, object, part int }

func effectOf(id uint32) effect {
	code := int(id - scriptEchoes)
	return effect{code % 5, code / 5 % 2, code/10%3 - 1}
}

// Kinds of effects (enum in struct uk_effect).
const (
	_ = iota
	opens
	opensHere
	closes
	closesHere
)

// idle says whether a block of records leaves nothing pending that it has begun.
func idle(block []uint32) bool {
	for i, id := range block {
		if id < scriptEchoes {
			return false
		}
		o := effectOf(id)
		if o.kind != opens && o.kind != opensHere {
			continue
		}
		if !slices.ContainsFunc(block[i+1:], func(later uint32) bool {
			if later < scriptEchoes {
				return false
			}
			c := effectOf(later)
			return (c.kind == closes || c.kind == closesHere && o.kind == opensHere) && c.object == o.object &&
				(c.part < 0 || c.part == o.part)
		}) {
			return false
		}
	}
	return true
}

// longestEcho is the most records that a block has which is left out (UK_ECHO_MOST).
const longestEcho = 4

// left are the numbers of records of those made that may have been written or left out once all of got were read: a
// block may be left out that equals the last ones read.
func left(made, got []uint32) map[int]bool {
	at := map[int]bool{0: true}
	for j := 0; ; j++ {
		for grown := true; grown; {
			grown = false
			for i := range at {
				for n := 1; n <= longestEcho && n <= j && i+n <= len(made); n++ {
					if block := made[i : i+n]; !at[i+n] && idle(block) && slices.Equal(block, got[j-n:j]) {
						at[i+n], grown = true, true
					}
				}
			}
		}
		if j == len(got) {
			return at
		}
		next := make(map[int]bool)
		for i := range at {
			if i < len(made) && made[i] == got[j] {
				next[i+1] = true
			}
		}
		at = next
	}
}

// randomSpins is a program of records with a few that may be left out, alone and in loops of random lengths.
func randomSpins(rnd *rand.Rand, parts int) (script []uint32) {
	echo := func() uint32 { return scriptEchoes + uint32(rnd.IntN(30)) }
	for range parts {
		few := []uint32{echo(), echo(), echo(), uint32(rnd.IntN(28)), uint32(rnd.IntN(28))}
		spin := []uint32{scriptEchoes + opens, scriptEchoes + closes}
		if rnd.IntN(2) == 0 {
			spin = []uint32{echo(), echo(), echo(), echo(), echo()}[:1+rnd.IntN(5)]
		}
		script = append(script, scriptLoop, 1+uint32(rnd.IntN(100)))
		for range 1 + rnd.IntN(4) {
			for range rnd.IntN(3) {
				script = append(script, few[rnd.IntN(len(few))])
			}
			script = append(script, scriptLoop, 1+uint32(rnd.IntN(6)))
			script = append(script, spin...)
			script = append(script, scriptEnd)
			script = append(script, few[rnd.IntN(len(few))])
		}
		script = append(script, scriptEnd)
	}
	return script
}

// TestBlocksThatRepeatAtOnceAreLeftOut runs random loops of records through the writer.
func TestBlocksThatRepeatAtOnceAreLeftOut(t *testing.T) {
	const last = 1 // its number is that of no other record
	program := buildWriter(t, sanitize...)
	var all, without, counted uint64
	for seed := range seeds(20) {
		rnd := rand.New(rand.NewPCG(seed, 5))
		script := append(randomSpins(rnd, 1+rnd.IntN(40)), 29)
		made := unrolled(script, math.MaxInt)
		s := session(t, ring.Options{Ranks: 1, Slots: 512 << rnd.IntN(6), Fold: 2 + uint32(rnd.IntN(100))})
		d := start(t, program, s.Dir, writeScript(t, script), "0")
		c := &consumer{ring: firstRing(t, s), rnd: rnd}
		var got []uint32
		c.take = func(rec *ring.Record) {
			t.Helper()
			id := uint32(rec.Site)
			if wrong := isRecord(rec, id); wrong != "" || rec.Stamp != uint32(len(got)+1) {
				t.Fatalf("seed %d, record %d, stamp %d: %s", seed, len(got), rec.Stamp, wrong)
			}
			got = append(got, id)
			if id == 29 {
				c.taken = last
			}
		}
		c.all(t, last)
		d.wait(t)
		if !left(made, got)[len(made)] {
			t.Errorf("seed %d: of the records %v, these were read: %v", seed, made, got)
		}
		seen, n := c.ring.Echoes()
		if n != uint64(len(made)-len(got)) || seen < n {
			t.Errorf("seed %d: %d of %d records were read, %d are said to have been left out, and %d seen", seed,
				len(got), len(made), n, seen)
		}
		all, without = all+uint64(len(made)), without+n
		if taken := c.ring.Taken(); taken < uint64(len(got)) {
			counted += uint64(len(got)) - taken
		}
	}
	if without < all/4 || counted == 0 {
		t.Errorf("of %d records, %d were left out and %d counted: nothing is shown", all, without, counted)
	}
}

// TestSpinsOfAnyLengthAreCounted has a thread ask for a lock, now more often, now less, and do the same each time that
// it has got it.
func TestSpinsOfAnyLengthAreCounted(t *testing.T) {
	const rounds, least = 5000, 192
	var script, want []uint32
	rnd := rand.New(rand.NewPCG(1, 6))
	for range rounds {
		script = append(script, scriptLoop, 1+uint32(rnd.IntN(40)), scriptEchoes+opens, scriptEchoes+closes, scriptEnd,
			32, 33, 34, 35, 36)
		want = append(want, scriptEchoes+opens, scriptEchoes+closes, 32, 33, 34, 35, 36)
	}
	if slots, _ := written(t, rnd, least, script, want); slots > rounds {
		t.Errorf("%d slots were written for %d rounds", slots, rounds)
	}
}

// TestJumpsLoseNoRecordThatIsHeld leaves the writer by jumps at any instruction, where records are held until it is
// known whether they are left out.
func TestJumpsLoseNoRecordThatIsHeld(t *testing.T) {
	program := buildWriter(t, "-O1")
	jumps, without := 0, uint64(0)
	for seed := range seeds(12) {
		rnd := rand.New(rand.NewPCG(seed, 7))
		script := randomSpins(rnd, 400)
		s := session(t, ring.Options{Ranks: 1, Slots: 512 << rnd.IntN(6), Fold: 2 + uint32(rnd.IntN(30))})
		d := start(t, program, s.Dir, writeScript(t, script), fmt.Sprint(20+rnd.IntN(100)))
		r := firstRing(t, s)
		from, over := uint64(0), false
		var got []uint32
		for end := time.Now().Add(time.Minute); !over; r.Commit() {
			recs, err := r.Read(nil, 1+rnd.IntN(40))
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			if len(recs) == 0 && time.Now().After(end) {
				t.Fatalf("seed %d: no end after %d records from %d on, of %d tokens; %d slots are left", seed, len(got),
					from, len(script), r.Pending())
			}
			for i := range recs {
				rec := &recs[i]
				if rec.Func != 2000 {
					if wrong := isRecord(rec, uint32(rec.Site)); wrong != "" {
						t.Fatalf("seed %d, record %d after %d: %s", seed, len(got), from, wrong)
					}
					got = append(got, uint32(rec.Site))
					continue
				}
				done, next := int(rec.Words[0]), rec.Words[1]
				if at := left(unrolled(script[from:], done+1), got); !at[done] && !at[done+1] {
					t.Fatalf("seed %d: %d records by the jump to %d, the writer knows of %d: %v", seed, len(got),
						next, done, got)
				}
				got, from, over = got[:0], next, next == uint64(len(script))
				jumps++
			}
		}
		d.wait(t)
		_, n := r.Echoes()
		without += n
	}
	if jumps < 100 || without == 0 {
		t.Errorf("%d jumps, %d records left out", jumps, without)
	}
}
