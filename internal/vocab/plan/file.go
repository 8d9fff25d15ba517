package plan

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"unknot/internal/vocab/op"
)

// maxRanks bounds the size of a job, so that a damaged file does not make anybody allocate at will.
const maxRanks = 1 << 24

// Check says what is wrong with a plan: no ranks, an entry of a rank or thread that there cannot be, entries out of
// order or twice.
func (p *Plan) Check() error {
	if p.Ranks < 1 || p.Ranks > maxRanks {
		return fmt.Errorf("a plan for %d ranks, expected 1 to %d", p.Ranks, maxRanks)
	}
	last := place{rank: -1}
	for i := range p.Decisions {
		d := &p.Decisions[i]
		at := place{d.Rank, d.Thread, d.Nth}
		if err := at.follows(last, p.Ranks, "decision", i); err != nil {
			return err
		}
		if d.Source < 0 {
			return fmt.Errorf("decision %d has source %d, expected a rank of the call's communicator, from 0", i,
				d.Source)
		}
		if d.Tag < -1 {
			return fmt.Errorf("decision %d has tag %d, expected a tag, from 0, or -1 for the call's own", i, d.Tag)
		}
		last = at
	}
	last = place{rank: -1}
	for i := range p.Sends {
		s := &p.Sends[i]
		at := place{s.Rank, s.Thread, s.Nth}
		if err := at.follows(last, p.Ranks, "send", i); err != nil {
			return err
		}
		last = at
	}
	last = place{rank: -1}
	for i := range p.Outcomes {
		o := &p.Outcomes[i]
		at := place{o.Rank, o.Thread, o.Nth}
		if err := at.follows(last, p.Ranks, "outcome", i); err != nil {
			return err
		}
		if err := o.check(i); err != nil {
			return err
		}
		last = at
	}
	last = place{rank: -1}
	for i := range p.Delays {
		d := &p.Delays[i]
		at := place{rank: d.Rank}
		if err := at.follows(last, p.Ranks, "delay", i); err != nil {
			return err
		}
		if d.Micros < 1 || d.Micros > MaxDelay {
			return fmt.Errorf("delay %d is of %d µs, expected 1 to %d", i, d.Micros, MaxDelay)
		}
		last = at
	}
	return nil
}

// check says what is wrong with what outcome i reports.
func (o *Outcome) check(i int) error {
	if o.Nothing && len(o.Done) > 0 {
		return fmt.Errorf("outcome %d is that nothing is complete, and names %d complete requests", i, len(o.Done))
	}
	sorted := slices.Clone(o.Done)
	slices.Sort(sorted)
	for k, at := range sorted {
		switch {
		case at < 0:
			return fmt.Errorf("outcome %d names the request at position %d, expected 0 or more", i, at)
		case k > 0 && at == sorted[k-1]:
			return fmt.Errorf("outcome %d names the request at position %d twice", i, at)
		}
	}
	return nil
}

// place names what an entry is about.
type place struct {
	rank   op.Rank
	thread op.Thread
	nth    uint32
}

func (p place) String() string {
	return fmt.Sprintf("(rank %d, thread %d, nth %d)", p.rank, p.thread, p.nth)
}

func (p place) less(q place) bool {
	if p.rank != q.rank {
		return p.rank < q.rank
	}
	if p.thread != q.thread {
		return p.thread < q.thread
	}
	return p.nth < q.nth
}

// follows says what keeps entry i, of a list of things, from standing after the one before it.
func (p place) follows(last place, ranks int, thing string, i int) error {
	switch {
	case p.rank < 0 || int(p.rank) >= ranks:
		return fmt.Errorf("%s %d is for rank %d, but the plan is for %d ranks", thing, i, p.rank, ranks)
	case p.thread < 0:
		return fmt.Errorf("%s %d is for thread %d, expected 0 or more", thing, i, p.thread)
	case p == last:
		return fmt.Errorf("%s %d is for %v, as the one before it is", thing, i, p)
	case p.less(last):
		return fmt.Errorf("%s %d is for %v, but comes after %v; hint: entries are ordered by rank, thread and nth",
			thing, i, p, last)
	}
	return nil
}

// Write writes the file of a plan. It appears under its name only when it is whole.
func Write(path string, p Plan) error {
	text, err := encode(&p)
	if err != nil {
		return fmt.Errorf("plan %s: %w", path, err)
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".plan-*")
	if err != nil {
		return fmt.Errorf("plan %s: %w; hint: choose a directory that you may write to", path, err)
	}
	defer os.Remove(f.Name()) // gone already if all went well
	_, err = f.Write(text)
	if err := errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("plan %s: %w", path, err)
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return fmt.Errorf("plan %s: %w", path, err)
	}
	return nil
}

func encode(p *Plan) ([]byte, error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	size := uint64(headerSize) + indexSize*uint64(p.Ranks+1) + decisionSize*uint64(len(p.Decisions)) +
		sendSize*uint64(len(p.Sends)) +
		outcomeSize*uint64(len(p.Outcomes))
	for i := range p.Outcomes {
		size += positionSize * uint64(len(p.Outcomes[i].Done))
	}
	h := FileHeader{Magic: Magic, Version: Version, Ranks: uint32(p.Ranks), Size: size}
	if p.Synchronous {
		h.Flags |= Synchronous
	}
	index := make([]FileIndex, p.Ranks+1)
	decisions := make([]FileDecision, len(p.Decisions))
	sends := make([]FileSend, len(p.Sends))
	for i, d := range p.Decisions {
		decisions[i] = FileDecision{Thread: uint32(d.Thread), Nth: d.Nth, Source: d.Source, Tag: d.Tag}
		index[d.Rank+1].Decision++
	}
	for i, s := range p.Sends {
		sends[i] = FileSend{Thread: uint32(s.Thread), Nth: s.Nth}
		if s.Buffered {
			sends[i].Flags = Buffered
		}
		index[s.Rank+1].Send++
	}
	outcomes := make([]FileOutcome, len(p.Outcomes))
	var positions []int32
	for i, o := range p.Outcomes {
		outcomes[i] = FileOutcome{Thread: uint32(o.Thread), Nth: o.Nth, First: uint32(len(positions)),
			Done: uint32(len(o.Done))}
		if o.Nothing {
			outcomes[i].Flags = Nothing
		}
		positions = append(positions, o.Done...)
		index[o.Rank+1].Outcome++
	}
	for r := range p.Ranks {
		index[r+1].Decision += index[r].Decision
		index[r+1].Send += index[r].Send
		index[r+1].Outcome += index[r].Outcome
	}
	for _, d := range p.Delays {
		index[d.Rank].Delay = d.Micros
	}
	var b bytes.Buffer
	b.Grow(int(size))
	for _, part := range []any{&h, index, decisions, sends, outcomes, positions} {
		if err := binary.Write(&b, binary.LittleEndian, part); err != nil {
			return nil, err
		}
	}
	return b.Bytes(), nil
}

// Read reads the file of a plan. An error says in one sentence what is wrong with the file.
func Read(path string) (Plan, error) {
	f, err := os.Open(path)
	if err != nil {
		return Plan{}, fmt.Errorf("plan: %w; hint: check the path", err)
	}
	defer f.Close()
	text, err := io.ReadAll(f)
	if err != nil {
		return Plan{}, fmt.Errorf("plan: %w", err)
	}
	p, err := decode(text)
	if err != nil {
		return Plan{}, fmt.Errorf("plan %s: %w", path, err)
	}
	return p, nil
}

func decode(text []byte) (Plan, error) {
	var h FileHeader
	if len(text) < headerSize {
		return Plan{}, fmt.Errorf("%d bytes, expected at least %d; hint: the file is truncated, or not a plan",
			len(text), headerSize)
	}
	if err := take(&text, headerSize, &h); err != nil {
		return Plan{}, err
	}
	have := uint64(len(text)) + headerSize
	switch {
	case h.Magic != Magic:
		return Plan{}, fmt.Errorf("begins with %#x, expected %#x; hint: it is not a plan", h.Magic, Magic)
	case h.Version != Version:
		return Plan{}, fmt.Errorf("version %d, this unknot reads version %d; hint: make the plan again",
			h.Version, Version)
	case h.Size != have:
		return Plan{}, fmt.Errorf("%d bytes, its header says %d; hint: the file is damaged", have, h.Size)
	case h.Flags&^Synchronous != 0:
		return Plan{}, fmt.Errorf("flags %#x, of which %#x have no meaning; hint: the file is damaged", h.Flags,
			h.Flags&^Synchronous)
	case h.Ranks < 1 || h.Ranks > maxRanks:
		return Plan{}, fmt.Errorf("a plan for %d ranks, expected 1 to %d", h.Ranks, maxRanks)
	}
	p := Plan{Ranks: int(h.Ranks), Synchronous: h.Flags&Synchronous != 0}
	if want := indexSize * (uint64(h.Ranks) + 1); uint64(len(text)) < want {
		return Plan{}, fmt.Errorf("%d bytes, too few for %d ranks; hint: the file is damaged", have, h.Ranks)
	}
	index := make([]FileIndex, h.Ranks+1)
	if err := take(&text, indexSize*len(index), index); err != nil {
		return Plan{}, err
	}
	if err := checkIndex(index, uint64(len(text))); err != nil {
		return Plan{}, err
	}
	if err := p.entries(index, text); err != nil {
		return Plan{}, err
	}
	return p, p.Check()
}

// entries takes what follows the index.
func (p *Plan) entries(index []FileIndex, text []byte) error {
	end := index[p.Ranks]
	decisions, sends, outcomes := make([]FileDecision, end.Decision), make([]FileSend, end.Send),
		make([]FileOutcome, end.Outcome)
	if err := errors.Join(take(&text, decisionSize*len(decisions), decisions), take(&text, sendSize*len(sends), sends),
		take(&text, outcomeSize*len(outcomes), outcomes)); err != nil {
		return err
	}
	positions := make([]int32, len(text)/positionSize)
	if err := take(&text, len(text), positions); err != nil {
		return err
	}
	for r := range p.Ranks {
		if d := index[r].Delay; d > 0 {
			p.Delays = append(p.Delays, Delay{op.Rank(r), d})
		}
		for _, d := range decisions[index[r].Decision:index[r+1].Decision] {
			p.Decisions = append(p.Decisions, Decision{op.Rank(r), op.Thread(d.Thread), d.Nth, d.Source, d.Tag})
		}
		for _, s := range sends[index[r].Send:index[r+1].Send] {
			if s.Flags&^Buffered != 0 {
				return fmt.Errorf("send %d has flags %#x, of which %#x have no meaning; hint: the file is damaged",
					len(p.Sends), s.Flags, s.Flags&^Buffered)
			}
			p.Sends = append(p.Sends, Send{op.Rank(r), op.Thread(s.Thread), s.Nth, s.Flags&Buffered != 0})
		}
	}
	return p.outcomes(index, outcomes, positions)
}

// outcomes gives each outcome its positions, which stand one after the other.
func (p *Plan) outcomes(index []FileIndex, outcomes []FileOutcome, positions []int32) error {
	next := 0
	for r := range p.Ranks {
		for _, o := range outcomes[index[r].Outcome:index[r+1].Outcome] {
			switch i := len(p.Outcomes); {
			case o.Flags&^Nothing != 0:
				return fmt.Errorf("outcome %d has flags %#x, of which %#x have no meaning; hint: the file is damaged",
					i, o.Flags, o.Flags&^Nothing)
			case int(o.First) != next || int(o.Done) > len(positions)-next:
				return fmt.Errorf("outcome %d has %d positions from %d on, expected them from %d to %d; hint: the "+
					"file is damaged", i, o.Done, o.First, next, len(positions))
			}
			at := Outcome{Rank: op.Rank(r), Thread: op.Thread(o.Thread), Nth: o.Nth, Nothing: o.Flags&Nothing != 0}
			if o.Done > 0 {
				at.Done = positions[next : next+int(o.Done) : next+int(o.Done)]
			}
			p.Outcomes = append(p.Outcomes, at)
			next += int(o.Done)
		}
	}
	if next != len(positions) {
		return fmt.Errorf("%d positions, of which the outcomes have %d; hint: the file is damaged",
			len(positions), next)
	}
	return nil
}

// checkIndex makes sure that each rank's entries lie in what follows the index: left bytes, of which positions take
// whole ones.
func checkIndex(index []FileIndex, left uint64) error {
	var last FileIndex
	for r, at := range index {
		if at.Decision < last.Decision || at.Send < last.Send || at.Outcome < last.Outcome || r == 0 &&
			at.Decision+at.Send+at.Outcome > 0 {
			return fmt.Errorf("the entries of rank %d begin before those of the rank before it; hint: the "+
				"file is damaged", r)
		}
		if r == len(index)-1 && at.Delay > 0 {
			return fmt.Errorf("rank %d has a delay, but the plan is for %d ranks; hint: the file is damaged", r, r)
		}
		last = at
	}
	fits := last.Decision <= left/decisionSize && last.Send <= left/sendSize && last.Outcome <= left/outcomeSize
	if size := last.Decision*decisionSize + last.Send*sendSize + last.Outcome*outcomeSize; !fits || size > left ||
		(left-size)%positionSize != 0 {
		return fmt.Errorf("%d decisions, %d sends and %d outcomes do not fit into %d bytes; hint: the file is damaged",
			last.Decision, last.Send, last.Outcome, left)
	}
	return nil
}

// take reads n bytes into what to points at.
func take(text *[]byte, n int, to any) error {
	_, err := binary.Decode((*text)[:n], binary.LittleEndian, to)
	*text = (*text)[n:]
	return err
}
