//go:build !quick

package probe

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"unknot/internal/model/fold"
	"unknot/internal/observe/ring"
	"unknot/internal/test/testkit"
)

// Tokens of a script for the writer's driver, beside the numbers of records.
const (
	scriptLoop = 1000000 + iota // then how often
	scriptEnd
)

// scriptEchoes is the first number of records that may be left out where a block of them repeats at once.
const scriptEchoes = 2000000

// longRecord says whether a record continues in parts.
func longRecord(id uint32) bool { return id < scriptEchoes && id%29 == 28 }

// randomScript is a program of records and loops, mostly with the same few records in them.
func randomScript(rnd *rand.Rand, parts int, long bool) (script []uint32) {
	id := func() uint32 {
		for {
			if n := uint32(rnd.IntN(60)); long || !longRecord(n) {
				return n
			}
		}
	}
	var body func(depth int)
	body = func(depth int) {
		for range 1 + rnd.IntN(5) {
			if depth < 3 && rnd.IntN(4) == 0 {
				script = append(script, scriptLoop, 1+uint32(rnd.IntN(40>>depth)))
				body(depth + 1)
				script = append(script, scriptEnd)
				continue
			}
			script = append(script, id())
		}
	}
	for range parts {
		script = append(script, scriptLoop, 1+uint32(rnd.IntN(300)))
		body(1)
		script = append(script, scriptEnd)
	}
	return script
}

// unrolled are the numbers of the records that a script writes, up to the first most of them.
func unrolled(script []uint32, most int) (ids []uint32) {
	type loop struct {
		begin int
		left  uint32
	}
	var loops []loop
	for at := 0; at < len(script) && len(ids) < most; at++ {
		switch script[at] {
		case scriptLoop:
			loops = append(loops, loop{at + 1, script[at+1]})
			at++
		case scriptEnd:
			l := &loops[len(loops)-1]
			if l.left--; l.left > 0 {
				at = l.begin
			} else {
				loops = loops[:len(loops)-1]
			}
		default:
			ids = append(ids, script[at])
		}
	}
	return ids
}

// isRecord says what is wrong with a record that should be the one of that number, "" if nothing is.
func isRecord(rec *ring.Record, id uint32) string {
	n, kind := int(id*7%40), []ring.Kind{ring.Enter, ring.Exit, ring.Data}[id%3]
	switch {
	case longRecord(id):
		n = 2600
	case id >= scriptEchoes:
		n, kind = int((id-scriptEchoes)%9), ring.Enter
	}
	if rec.Func != uint16(1000+id%5) || rec.Kind != kind || rec.Site != uint64(id) || len(rec.Words) < n {
		return fmt.Sprintf("record of function %d, kind %d, site %d, %d words, want that of number %d", rec.Func,
			rec.Kind, rec.Site, len(rec.Words), id)
	}
	for j, w := range rec.Words[:n] {
		if w != uint64(id)^uint64(j) {
			return fmt.Sprintf("record %d has %d as word %d", id, w, j)
		}
	}
	return ""
}

// seeds are how many random programs a test runs.
func seeds(usual uint64) uint64 {
	if testkit.Nightly() {
		return 20 * usual
	}
	return usual
}

func writeScript(t *testing.T, script []uint32) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "script")
	var text bytes.Buffer
	if err := binary.Write(&text, binary.NativeEndian, script); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return "script:" + path
}

// TestRecordsThatRepeatAreRestored runs random loops of records through the writer and a reader that takes few at a
// time, and both through a stream that compares them with a period, as an agent does.
func TestRecordsThatRepeatAreRestored(t *testing.T) {
	program := buildWriter(t, sanitize...)
	var counted, trusted, unmade int
	for seed := range seeds(20) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		script := randomScript(rnd, 1+rnd.IntN(12), seed%3 != 0)
		want := unrolled(script, math.MaxInt)
		slots := 512 << rnd.IntN(6)
		s := session(t, ring.Options{Ranks: 1, Slots: slots, Fold: 2 + uint32(rnd.IntN(30))})
		d := start(t, program, s.Dir, writeScript(t, script), "0")
		r := firstRing(t, s)
		c := &consumer{ring: r, rnd: rnd, streams: seed%2 == 1}
		c.stream.Least = 1 + uint64(rnd.IntN(20))
		c.take = func(rec *ring.Record) {
			t.Helper()
			i := c.taken
			if i == len(want) {
				t.Fatalf("seed %d: more than %d records", seed, i)
			}
			if wrong := isRecord(rec, want[i]); wrong != "" || rec.Stamp != uint32(i+1) {
				t.Fatalf("seed %d, record %d, stamp %d: %s", seed, i, rec.Stamp, wrong)
			}
			c.taken++
		}
		c.all(t, len(want))
		var own int
		if _, err := fmt.Sscanf(d.wait(t), "%d unmade", &own); err != nil {
			t.Fatal(err)
		}
		unmade += own
		if n := r.Pending(); n > 1 { // a record that says how many were counted
			t.Errorf("seed %d: %d slots are left", seed, n)
		}
		trusted += c.trusted
		if int(r.Taken()) < len(want) {
			counted += len(want)
		}
	}
	if counted == 0 || trusted == 0 || unmade == 0 {
		t.Errorf("%d records were not written each, %d not compared, %d not made: nothing is shown", counted,
			trusted, unmade)
	}
}

// TestALoopInALoopIsCountedWhateverItsRecordsAre has many loops of one record eight times and another one, each with
// other records: none of them hides another.
func TestALoopInALoopIsCountedWhateverItsRecordsAre(t *testing.T) {
	const loops, rounds, least = 1000, 100, 100
	var script []uint32
	rnd := rand.New(rand.NewPCG(1, 3))
	id := func() uint32 { return 29 * uint32(rnd.IntN(scriptLoop/29)) } // none is long
	for range loops {
		script = append(script, scriptLoop, rounds, scriptLoop, 8, id(), scriptEnd, id(), scriptEnd)
	}
	// A loop writes 182 slots until it is found to repeat, on average; the 2,800 of one that is not found would show.
	if slots, records := written(t, rnd, least, script, unrolled(script, math.MaxInt)); slots > loops*184 {
		t.Errorf("%d slots were written for %d records of %d loops", slots, records, loops)
	}
}

// TestTurnsOfTwoAndThreeAreCounted has loops in which records take turns of two and of three: none of them comes again
// after as many as all do together.
func TestTurnsOfTwoAndThreeAreCounted(t *testing.T) {
	const loops, rounds, least = 100, 200, 192
	var script []uint32
	rnd := rand.New(rand.NewPCG(1, 5))
	id := func() uint32 { return 29 * uint32(rnd.IntN(scriptLoop/29)) } // none is long
	for range loops {
		two, three, one := [2]uint32{id(), id()}, [3]uint32{id(), id(), id()}, id()
		script = append(script, scriptLoop, rounds)
		for i := range 6 {
			script = append(script, two[i%2], one, three[i%3])
		}
		script = append(script, scriptEnd)
	}
	if slots, records := written(t, rnd, least, script, unrolled(script, math.MaxInt)); slots > records/2 {
		t.Errorf("%d slots were written for %d records", slots, records)
	}
}

// TestSpinsAreCounted has a thread try again and again what it cannot have yet, now shorter, now longer, with other
// calls between.
func TestSpinsAreCounted(t *testing.T) {
	const spins, least = 1000, 192
	var script []uint32
	rnd := rand.New(rand.NewPCG(1, 4))
	for range spins {
		script = append(script, scriptLoop, 200+uint32(rnd.IntN(400)), 30, 31, scriptEnd, 32, 33, 34, 35, 36)
	}
	if slots, records := written(t, rnd, least, script, unrolled(script, math.MaxInt)); slots > records/2 {
		t.Errorf("%d slots were written for %d records", slots, records)
	}
}

// written is how many slots are written for the records of a script, of which those that want says are read, and how
// many these are.
func written(t *testing.T, rnd *rand.Rand, least uint32, script, want []uint32) (slots, records int) {
	t.Helper()
	s := session(t, ring.Options{Ranks: 1, Slots: 8192, Fold: least})
	d := start(t, buildWriter(t, sanitize...), s.Dir, writeScript(t, script), "0")
	c := &consumer{ring: firstRing(t, s), rnd: rnd}
	c.take = func(rec *ring.Record) {
		t.Helper()
		if wrong := isRecord(rec, want[c.taken]); wrong != "" {
			t.Fatalf("record %d: %s", c.taken, wrong)
		}
		c.taken++
	}
	c.all(t, len(want))
	d.wait(t)
	return int(c.ring.Taken()), len(want)
}

// consumer reads a ring.
type consumer struct {
	ring    *ring.Ring
	rnd     *rand.Rand
	streams bool // through a stream, where that repeats
	stream  fold.Stream
	taken   int
	trusted int
	take    func(*ring.Record)
}

func (c *consumer) all(t *testing.T, want int) {
	t.Helper()
	var recs []ring.Record
	for end := time.Now().Add(10 * time.Minute); c.taken < want; {
		before := c.taken
		if c.stream.Phase() == fold.Repeating {
			c.skim()
		} else {
			peeked, ok, err := c.ring.Peek()
			if err != nil {
				t.Fatal(err)
			}
			if recs, err = c.ring.Read(recs[:0], 1); err != nil {
				t.Fatal(err)
			}
			if ok && len(recs) > 0 && recs[0].Stamp != peeked.Stamp {
				t.Fatalf("%v was there, and then %v", peeked, recs[0])
			}
			for i := range recs {
				c.record(&recs[i])
			}
			if recs, err = c.ring.Read(recs[:0], 1+c.rnd.IntN(40)); err != nil {
				t.Fatal(err)
			}
			for i := range recs {
				c.record(&recs[i])
			}
		}
		c.ring.Commit()
		if c.taken == before {
			if time.Now().After(end) {
				t.Fatalf("%d of %d records", c.taken, want)
			}
			time.Sleep(20 * time.Microsecond)
		}
	}
}

// record takes what was read.
func (c *consumer) record(rec *ring.Record) {
	if c.stream.Phase() == fold.Repeating {
		if c.stream.Match(rec) {
			return
		}
		c.stream.Leave()
	}
	c.drain()
	if c.streams {
		if phase, _ := c.stream.Take(rec); phase == fold.Learned {
			c.stream.Accept()
		}
	}
	c.take(rec)
}

// skim takes what repeats.
func (c *consumer) skim() {
	_, other := c.ring.Skim(c.stream.Match, 1+c.rnd.IntN(100))
	if other {
		c.stream.Leave()
	} else {
		n := c.ring.SkimRepeated(c.stream.Period(), c.rnd.IntN(5000))
		c.stream.Trust(n)
		c.trusted += n
	}
	c.drain()
}

func (c *consumer) drain() {
	for c.stream.Ahead() > 0 {
		c.take(c.stream.Next())
	}
}

// TestJumpsOutOfRecordsLoseNoOther leaves the writer by jumps at any instruction.
func TestJumpsOutOfRecordsLoseNoOther(t *testing.T) {
	program := buildWriter(t, "-O1")
	jumps := 0
	for seed := range seeds(12) {
		rnd := rand.New(rand.NewPCG(seed, 2))
		script := randomScript(rnd, 400, false)
		s := session(t, ring.Options{Ranks: 1, Slots: 512 << rnd.IntN(6), Fold: 2 + uint32(rnd.IntN(30))})
		d := start(t, program, s.Dir, writeScript(t, script), fmt.Sprint(20+rnd.IntN(100)))
		r := firstRing(t, s)
		from, over := uint64(0), false
		var got []ring.Record // copies
		end := time.Now().Add(time.Minute)
		for !over {
			recs, err := r.Read(nil, 1+rnd.IntN(40))
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			if len(recs) == 0 && time.Now().After(end) {
				t.Fatalf("seed %d: no end after %d records from %d on, of %d tokens; %d slots are left", seed, len(got),
					from, len(script), r.Pending())
			}
			for _, rec := range recs {
				if rec.Func != 2000 {
					rec.Words = append([]uint64(nil), rec.Words...)
					got = append(got, rec)
					continue
				}
				done, next := int(rec.Words[0]), rec.Words[1]
				if len(got) != done && len(got) != done+1 {
					t.Fatalf("seed %d: %d records by the jump to %d, the writer knows of %d", seed,
						len(got), next, done)
				}
				for i, id := range unrolled(script[from:], len(got)) {
					if wrong := isRecord(&got[i], id); wrong != "" {
						t.Fatalf("seed %d, record %d after %d: %s", seed, i, from, wrong)
					}
				}
				got, from, over = got[:0], next, next == uint64(len(script))
				jumps++
			}
			r.Commit()
		}
		d.wait(t)
	}
	if jumps < 100 {
		t.Errorf("%d jumps", jumps)
	}
}
