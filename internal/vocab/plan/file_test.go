package plan

import (
	"bytes"
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"unknot/internal/vocab/op"
)

// small is a plan with an entry of every kind.
func small() Plan {
	return Plan{Ranks: 4,
		Decisions: []Decision{{0, 0, 2, 3, -1}, {0, 0, 5, 1, 7}, {0, 1, 0, 2, -1}, {3, 0, 0, 0, 0}},
		Sends:     []Send{{Rank: 1}, {Rank: 1, Nth: 9, Buffered: true}, {Rank: 3, Thread: 2, Nth: 1}},
		Delays:    []Delay{{2, 1500}},
		Outcomes: []Outcome{{Rank: 0, Nth: 1, Nothing: true}, {Rank: 0, Nth: 2, Done: []int32{3, 0}}, {Rank: 2},
			{Rank: 2, Thread: 1, Done: []int32{1}}}}
}

func TestWhatIsWrittenIsRead(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		p := Plan{Ranks: rapid.IntRange(1, 20).Draw(r, "ranks"), Synchronous: rapid.Bool().Draw(r, "synchronous")}
		places := func(name string) []place {
			var out []place
			for rank := range p.Ranks {
				nth := uint32(0)
				for range rapid.IntRange(0, 3).Draw(r, name) {
					nth += rapid.Uint32Range(1, 1000).Draw(r, "step")
					out = append(out, place{op.Rank(rank), op.Thread(rank % 2), nth})
				}
			}
			return out
		}
		for _, at := range places("decisions") {
			p.Decisions = append(p.Decisions, Decision{at.rank, at.thread, at.nth,
				rapid.Int32Range(0, 99).Draw(r, "source"), rapid.Int32Range(-1, 99).Draw(r, "tag")})
		}
		for _, at := range places("sends") {
			p.Sends = append(p.Sends, Send{at.rank, at.thread, at.nth, rapid.Bool().Draw(r, "buffered")})
		}
		for _, at := range places("outcomes") {
			o := Outcome{Rank: at.rank, Thread: at.thread, Nth: at.nth, Nothing: rapid.Bool().Draw(r, "nothing")}
			if !o.Nothing {
				o.Done = rapid.SampledFrom([][]int32{nil, {0}, {7, 2}, {1, 2, 1 << 30}}).Draw(r, "done")
			}
			p.Outcomes = append(p.Outcomes, o)
		}
		for rank := range p.Ranks {
			if rapid.Bool().Draw(r, "slow") {
				p.Delays = append(p.Delays, Delay{op.Rank(rank), rapid.Uint64Range(1, MaxDelay).Draw(r, "delay")})
			}
		}
		path := filepath.Join(t.TempDir(), "plan")
		if err := Write(path, p); err != nil {
			r.Fatal(err)
		}
		got, err := Read(path)
		if err != nil {
			r.Fatal(err)
		}
		if diff := cmp.Diff(p, got); diff != "" {
			r.Fatalf("it comes back with (- written, + read):\n%s", diff)
		}
		if left, err := os.ReadDir(filepath.Dir(path)); err != nil || len(left) != 1 {
			r.Fatalf("%v, files %v", err, left)
		}
	})
}

func TestAPlanThatCannotBeIsRefusedInOneSentence(t *testing.T) {
	for want, change := range map[string]func(*Plan){
		"a plan for 0 ranks, expected 1 to 16777216": func(p *Plan) {
			p.Ranks = 0
		},
		"decision 3 is for rank 3, but the plan is for 3 ranks": func(p *Plan) {
			p.Ranks = 3
		},
		"decision 1 is for thread -1, expected 0 or more": func(p *Plan) {
			p.Decisions[1].Thread = -1
		},
		"decision 1 is for (rank 0, thread 0, nth 2), as the one before it is": func(p *Plan) {
			p.Decisions[1].Nth = 2
		},
		"decision 2 is for (rank 0, thread 0, nth 0), but comes after (rank 0, thread 0, nth 5)": func(p *Plan) {
			p.Decisions[2].Thread = 0
		},
		"send 1 is for (rank 0, thread 0, nth 9), but comes after (rank 1, thread 0, nth 0)": func(p *Plan) {
			p.Sends[1].Rank = 0
		},
		"decision 0 has source -1, expected a rank of the call's communicator, from 0": func(p *Plan) {
			p.Decisions[0].Source = -1
		},
		"decision 0 has tag -2, expected a tag, from 0, or -1 for the call's own": func(p *Plan) {
			p.Decisions[0].Tag = -2
		},
		"send 0 is for rank -1, but the plan is for 4 ranks": func(p *Plan) {
			p.Sends[0].Rank = -1
		},
		"outcome 3 is for (rank 2, thread 0, nth 0), as the one before it is": func(p *Plan) {
			p.Outcomes[3].Thread = 0
		},
		"delay 0 is for rank 9, but the plan is for 4 ranks": func(p *Plan) {
			p.Delays[0].Rank = 9
		},
		"delay 0 is of 0 µs, expected 1 to 10000000": func(p *Plan) {
			p.Delays[0].Micros = 0
		},
		"outcome 0 is that nothing is complete, and names 1 complete requests": func(p *Plan) {
			p.Outcomes[0].Done = []int32{0}
		},
		"outcome 1 names the request at position -1, expected 0 or more": func(p *Plan) {
			p.Outcomes[1].Done[1] = -1
		},
		"outcome 1 names the request at position 3 twice": func(p *Plan) {
			p.Outcomes[1].Done[1] = 3
		},
	} {
		p := small()
		change(&p)
		path := filepath.Join(t.TempDir(), "plan")
		if err := Write(path, p); err == nil || !strings.HasPrefix(err.Error(), "plan "+path+": "+want) ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("error %v, want %q", err, want)
		}
		if _, err := os.Stat(path); err == nil {
			t.Errorf("%s: a file was written", want)
		}
	}
}

func TestADamagedFileIsRefusedInOneSentence(t *testing.T) {
	p := small()
	whole, err := encode(&p)
	if err != nil {
		t.Fatal(err)
	}
	number := func(at int, v uint32) func([]byte) []byte {
		return func(b []byte) []byte { binary.LittleEndian.PutUint32(b[at:], v); return b }
	}
	for _, c := range []struct {
		want   string
		damage func([]byte) []byte
	}{
		{"0 bytes, expected at least 32; hint: the file is truncated, or not a plan", func(b []byte) []byte {
			return nil
		}},
		{"31 bytes, expected at least 32", func(b []byte) []byte { return b[:31] }},
		{"begins with 0x316e616c706b00, expected 0x316e616c706b75; hint: it is not a plan", func(b []byte) []byte {
			b[0] = 0
			return b
		}},
		{"version 9, this unknot reads version 3; hint: make the plan again", number(8, 9)},
		{"383 bytes, its header says 384; hint: the file is damaged", func(b []byte) []byte { return b[:len(b)-1] }},
		{"delay 0 is of 10000001 µs, expected 1 to 10000000", number(32+2*32+24, 10_000_001)},
		{"rank 4 has a delay, but the plan is for 4 ranks", number(32+4*32+24, 1)},
		{"flags 0x5, of which 0x4 have no meaning", number(16, 5)},
		{"a plan for 0 ranks", number(12, 0)},
		{"384 bytes, too few for 13 ranks", number(12, 13)},
		{"the entries of rank 2 begin before those of the rank before it", number(32+32, 100)},
		{"the entries of rank 0 begin before those of the rank before it", number(32, 1)},
		{"13 decisions, 3 sends and 4 outcomes do not fit into 192 bytes", number(32+4*32, 13)},
		{"4 decisions, 3 sends and 10 outcomes do not fit into 192 bytes", number(32+4*32+16, 10)},
		{"4 decisions, 3 sends and 4294967300 outcomes do not fit into 192 bytes", number(32+4*32+20, 1)},
		{"4 positions, of which the outcomes have 3", func(b []byte) []byte {
			binary.LittleEndian.PutUint64(b[24:], 388)
			return append(b, 9, 0, 0, 0)
		}},
		{"decision 0 is for thread -1, expected 0 or more", number(192, 1<<32-1)},
		{"send 1 has flags 0x2, of which 0x2 have no meaning", number(192+64+12+8, 2)},
		{"outcome 0 has flags 0x4, of which 0x4 have no meaning", number(292+8, 4)},
		{"outcome 1 has 2 positions from 1 on, expected them from 0 to 3", number(292+20+12, 1)},
		{"outcome 3 has 9 positions from 2 on, expected them from 2 to 3", number(292+3*20+16, 9)},
		{"outcome 1 names the request at position -2, expected 0 or more", number(372, 1<<32-2)},
	} {
		path := filepath.Join(t.TempDir(), "plan")
		if err := os.WriteFile(path, c.damage(bytes.Clone(whole)), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Read(path); err == nil || !strings.HasPrefix(err.Error(), "plan "+path+": "+c.want) {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
	if _, err := Read("no/such/file"); err == nil || !strings.Contains(err.Error(), "no such file") ||
		!strings.Contains(err.Error(), "hint:") {
		t.Errorf("a file that is not there: %v", err)
	}
}

func FuzzRead(f *testing.F) {
	p := small()
	whole, err := encode(&p)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Add(whole[:40])
	f.Fuzz(func(t *testing.T, text []byte) {
		p, err := decode(text)
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("more than one sentence: %v", err)
			}
			return
		}
		again, err := encode(&p)
		// The padding of the header may hold anything.
		if err != nil || !bytes.Equal(again[:20], text[:20]) || !bytes.Equal(again[24:], text[24:]) {
			t.Errorf("%+v is written otherwise than it was read (%v)", p, err)
		}
	})
}

func TestHeaderCompilesAndAgreesWithTheLayout(t *testing.T) {
	for _, s := range []struct {
		want int
		of   any
	}{{headerSize, FileHeader{}}, {indexSize, FileIndex{}}, {decisionSize, FileDecision{}}, {sendSize, FileSend{}},
		{outcomeSize, FileOutcome{}}} {
		if have := int(reflect.TypeOf(s.of).Size()); have != s.want || binary.Size(s.of) != s.want {
			t.Errorf("%T has %d bytes in memory and %d in the file, want %d", s.of, have, binary.Size(s.of), s.want)
		}
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "a.c")
	text := Header() + "_Static_assert(UK_PLAN_VERSION == 3 && offsetof(struct uk_file_header, size) == 24, " +
		"\"layout\");\n"
	if err := os.WriteFile(program, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("cc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-c", "-o", os.DevNull,
		program).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// BenchmarkPlan is a plan of 4,096 ranks and 100,000 decisions, written and read.
func BenchmarkPlan(b *testing.B) {
	p := Plan{Ranks: 4096}
	for i := range 100_000 {
		p.Decisions = append(p.Decisions, Decision{Rank: op.Rank(i * 4096 / 100_000), Nth: uint32(i),
			Source: 1, Tag: -1})
	}
	path := filepath.Join(b.TempDir(), "plan")
	for b.Loop() {
		if err := Write(path, p); err != nil {
			b.Fatal(err)
		}
		if _, err := Read(path); err != nil {
			b.Fatal(err)
		}
	}
	if fi, err := os.Stat(path); err == nil {
		b.ReportMetric(float64(fi.Size()), "bytes")
	}
}
