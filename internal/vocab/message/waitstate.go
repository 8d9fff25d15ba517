package message

import (
	"errors"
	"math"

	"unknot/internal/model/waitstate"
	"unknot/internal/vocab/datatype"
	"unknot/internal/vocab/op"
	"unknot/internal/vocab/wire"
)

// The messages of the wait-state system. There are several for each message of the program, so they are written field
// by field: first the kind and a mask that says which fields are there, as most are empty in most messages.

// Fields of a Message in its mask.
const (
	hasFrom = 1 << iota
	hasRef
	hasRanks
	hasCtx
	hasTag
	hasBytes
	hasContent
	hasOrigin
	hasSeq
	hasSize
	hasVoices
	hasShares
	hasBelow
	isClash
	isActive
	isSynchronous
	hasClock
	hasBalance
	isUneven
	hasInit
	isReady
	allFields = 1<<iota - 1
)

func maskOf(m *waitstate.Message) uint64 {
	mask := uint64(0)
	for i, there := range [...]bool{m.From != waitstate.Ref{}, m.Ref != waitstate.Ref{}, m.Src != 0 || m.Dst != 0,
		m.Ctx != 0, m.Tag != 0, m.Bytes != 0,
		m.Content != datatype.Content{}, m.Origin != nil, m.Seq != 0, m.Size != 0, m.Voices != nil, m.Shares != nil,
		m.Below != nil,
		m.Clash, m.Active, m.Synchronous, m.Clock != nil, m.Balance != waitstate.Balance{}, m.Uneven,
		m.Init != nil, m.Ready} {
		if there {
			mask |= 1 << i
		}
	}
	return mask
}

func (m *WaitStates) put(w *wire.Writer) {
	w.Uint(uint64(len(m.Messages)))
	for i := range m.Messages {
		putWaitState(w, &m.Messages[i])
	}
}

// leastWaitState is how many bytes a message of the wait-state system takes at least.
const leastWaitState = 3

func (m *WaitStates) get(r *wire.Reader) {
	n := r.Count(leastWaitState)
	m.Messages = make([]waitstate.Message, 0, min(n, 64)) // they take much more room here than there
	for i := 0; i < n && r.Err() == nil; i++ {
		var one waitstate.Message
		getWaitState(r, &one)
		m.Messages = append(m.Messages, one)
	}
}

func putWaitState(w *wire.Writer, m *waitstate.Message) {
	mask := maskOf(m)
	w.Uint(uint64(m.Kind))
	w.Uint(mask)
	w.Int(int64(m.To))
	if mask&hasFrom != 0 {
		putRef(w, m.From)
	}
	if mask&hasRef != 0 {
		putRef(w, m.Ref)
	}
	if mask&hasRanks != 0 {
		w.Int(int64(m.Src))
		w.Int(int64(m.Dst))
	}
	if mask&hasCtx != 0 {
		w.Uint(uint64(m.Ctx))
	}
	if mask&hasTag != 0 {
		w.Int(int64(m.Tag))
	}
	if mask&hasBytes != 0 {
		w.Int(m.Bytes)
	}
	if mask&hasContent != 0 {
		putContent(w, m.Content)
	}
	if mask&hasOrigin != 0 {
		putOrigin(w, m.Origin)
	}
	if mask&hasSeq != 0 {
		w.Uint(m.Seq)
	}
	if mask&hasSize != 0 {
		w.Int(int64(m.Size))
	}
	if mask&hasVoices != 0 {
		w.Uint(uint64(len(m.Voices)))
		for i := range m.Voices {
			putVoice(w, &m.Voices[i])
		}
	}
	if mask&hasShares != 0 {
		w.Uint(uint64(len(m.Shares)))
		for _, s := range m.Shares {
			putShare(w, s)
		}
	}
	if mask&hasBelow != 0 {
		w.Uint(uint64(len(m.Below)))
		for _, n := range m.Below {
			w.Int(int64(n))
		}
	}
	if mask&hasClock != 0 {
		putClock(w, m.Clock)
	}
	if mask&hasBalance != 0 {
		w.Uint(m.Balance.Sum)
		w.Int(int64(m.Balance.Members))
	}
	if mask&hasInit != 0 {
		putOrigin(w, m.Init)
	}
}

func getWaitState(r *wire.Reader, m *waitstate.Message) {
	*m = waitstate.Message{Kind: waitstate.MsgKind(r.UpTo(uint64(waitstate.CollectiveShares)))}
	mask := r.UpTo(allFields)
	m.To = int(r.Within(waitstate.Root, math.MaxInt32))
	if mask&hasFrom != 0 {
		m.From = getRef(r)
	}
	if mask&hasRef != 0 {
		m.Ref = getRef(r)
	}
	if mask&hasRanks != 0 {
		m.Src, m.Dst = getRank(r), getRank(r)
	}
	if mask&hasCtx != 0 {
		m.Ctx = op.CommID(r.Uint())
	}
	if mask&hasTag != 0 {
		m.Tag = int32(r.Within(math.MinInt32, math.MaxInt32))
	}
	if mask&hasBytes != 0 {
		m.Bytes = r.Int()
	}
	if mask&hasContent != 0 {
		m.Content = getContent(r)
	}
	if mask&hasOrigin != 0 {
		m.Origin = getOrigin(r)
	}
	if mask&hasSeq != 0 {
		m.Seq = r.Uint()
	}
	if mask&hasSize != 0 {
		m.Size = int(r.Within(0, math.MaxInt32))
	}
	if mask&hasVoices != 0 {
		m.Voices = make([]waitstate.Voice, r.Count(leastVoice))
		for i := range m.Voices {
			m.Voices[i] = getVoice(r)
		}
	}
	if mask&hasShares != 0 {
		for range r.Count(leastShare) {
			m.Shares = append(m.Shares, getShare(r))
		}
	}
	if mask&hasBelow != 0 {
		for range r.Count(1) {
			m.Below = append(m.Below, int(r.Within(0, math.MaxInt32)))
		}
	}
	if mask&hasClock != 0 {
		m.Clock = getClock(r)
	}
	if mask&hasBalance != 0 {
		m.Balance = waitstate.Balance{Sum: r.Uint(), Members: int(r.Within(0, math.MaxInt32))}
	}
	if mask&hasInit != 0 {
		m.Init = getOrigin(r)
	}
	m.Uneven, m.Ready = mask&isUneven != 0, mask&isReady != 0
	m.Clash, m.Active, m.Synchronous = mask&isClash != 0, mask&isActive != 0, mask&isSynchronous != 0
}

func putClock(w *wire.Writer, c *waitstate.Clock) {
	w.Bool(c.Blind)
	w.Bool(c.Imprecise)
	w.Int(int64(c.Limit))
	for _, list := range [][]waitstate.Tick{c.Ticks, c.Ready} {
		w.Uint(uint64(len(list)))
		for _, t := range list {
			w.Int(int64(t.Rank))
			w.Uint(uint64(t.Count))
		}
	}
}

func getClock(r *wire.Reader) *waitstate.Clock {
	c := &waitstate.Clock{Blind: r.Bool(), Imprecise: r.Bool(), Limit: getRank(r)}
	for _, list := range []*[]waitstate.Tick{&c.Ticks, &c.Ready} {
		for range r.Count(2) {
			*list = append(*list, waitstate.Tick{Rank: getRank(r), Count: uint32(r.UpTo(math.MaxUint32))})
		}
	}
	return c
}

func putRef(w *wire.Writer, x waitstate.Ref) {
	w.Int(int64(x.Rank))
	w.Uint(uint64(x.ID))
}

func getRef(r *wire.Reader) waitstate.Ref {
	return waitstate.Ref{Rank: getRank(r), ID: uint32(r.UpTo(math.MaxUint32))}
}

func getRank(r *wire.Reader) op.Rank { return op.Rank(r.Within(math.MinInt32, math.MaxInt32)) }

// leastRun is how many bytes a run of ranks takes at least.
const leastRun = 3

var errRun = errors.New("a run of ranks does not end where its steps lead")

func putRanks(w *wire.Writer, s op.Ranks) {
	w.Uint(uint64(len(s.Runs)))
	for _, run := range s.Runs {
		w.Int(int64(run.First))
		w.Int(int64(run.Last))
		w.Int(int64(run.Step))
	}
}

func getRanks(r *wire.Reader) op.Ranks {
	var s op.Ranks
	for range r.Count(leastRun) {
		run := op.Run{First: getRank(r), Last: getRank(r), Step: getRank(r)}
		if r.Err() == nil && !run.Valid() {
			r.Fail(errRun)
		}
		s.Runs = append(s.Runs, run)
	}
	return s
}

func putContent(w *wire.Writer, c datatype.Content) {
	w.Type(c.Type)
	w.Int(c.Count)
}

func getContent(r *wire.Reader) datatype.Content {
	return datatype.Content{Type: r.Type(), Count: r.Int()}
}

// putOrigin writes the description of a call, with those of its words that it has.
func putOrigin(w *wire.Writer, o *waitstate.Origin) {
	w.Int(int64(o.Rank))
	w.Int(int64(o.Thread))
	w.Uint(uint64(o.Stamp))
	w.Uint(uint64(o.Fn))
	w.Uint(o.Site)
	w.Uint(o.TS)
	w.Uint(uint64(o.NWords))
	for _, v := range o.Words[:o.NWords] {
		w.Uint(v)
	}
}

func getOrigin(r *wire.Reader) *waitstate.Origin {
	o := &waitstate.Origin{Rank: getRank(r), Thread: op.Thread(getRank(r)), Stamp: uint32(r.UpTo(math.MaxUint32)),
		Fn:   uint16(r.UpTo(math.MaxUint16)),
		Site: r.Uint(), TS: r.Uint()}
	o.NWords = uint8(r.UpTo(uint64(len(o.Words))))
	for i := range o.Words[:o.NWords] {
		o.Words[i] = r.Uint()
	}
	return o
}

// Bytes that a voice and a share take at least.
const (
	leastOrigin = 7
	leastVoice  = 5 + 1 + 1 + leastOrigin + 1
	leastShare  = leastOrigin + 5 + 1 + 4 + 4
)

func putSignature(w *wire.Writer, s waitstate.Signature) {
	w.Uint(uint64(s.Op))
	w.Int(int64(s.Root))
	w.Int(int64(s.Side))
	w.Bool(s.Facing)
	w.Uint(s.Fold)
}

func getSignature(r *wire.Reader) waitstate.Signature {
	return waitstate.Signature{Op: uint32(r.UpTo(math.MaxUint32)), Root: getRank(r), Side: getRank(r), Facing: r.Bool(),
		Fold: r.Uint()}
}

// putVoice writes what some members of a collective have called.
func putVoice(w *wire.Writer, v *waitstate.Voice) {
	putSignature(w, v.Sig)
	w.Bool(v.Nonblock)
	putRanks(w, v.Ranks)
	putOrigin(w, v.Origin)
	w.Bool(v.Init != nil)
	if v.Init != nil {
		putOrigin(w, v.Init)
	}
}

func getVoice(r *wire.Reader) waitstate.Voice {
	v := waitstate.Voice{Sig: getSignature(r), Nonblock: r.Bool()}
	v.Ranks = getRanks(r)
	v.Origin = getOrigin(r)
	if r.Bool() {
		v.Init = getOrigin(r)
	}
	return v
}

func putShare(w *wire.Writer, s *waitstate.Share) {
	putOrigin(w, s.Origin)
	putSignature(w, s.Sig)
	w.Int(int64(s.Index))
	b := s.Blocks
	w.Uint(uint64(b.Shape))
	w.Uint(uint64(b.Side))
	w.Bool(b.Root)
	w.Bool(b.Up)
	w.Bool(b.Idle)
	w.Int(int64(b.Peers))
	for _, list := range [][]datatype.Content{b.Give, b.Take} {
		w.Uint(uint64(len(list)))
		for _, c := range list {
			putContent(w, c)
		}
	}
	for _, list := range [][]int{b.To, b.From} {
		w.Uint(uint64(len(list)))
		for _, n := range list {
			w.Int(int64(n))
		}
	}
}

func getShare(r *wire.Reader) *waitstate.Share {
	s := &waitstate.Share{Origin: getOrigin(r), Sig: getSignature(r), Blocks: new(waitstate.Blocks)}
	s.Index = int(r.Within(math.MinInt32, math.MaxInt32))
	b := s.Blocks
	b.Shape, b.Side, b.Root = waitstate.Shape(r.UpTo(uint64(waitstate.Adjacent))),
		waitstate.Side(r.UpTo(uint64(waitstate.Right))), r.Bool()
	b.Up, b.Idle, b.Peers = r.Bool(), r.Bool(), int(r.Within(0, math.MaxInt32))
	for _, list := range []*[]datatype.Content{&b.Give, &b.Take} {
		for range r.Count(2) {
			*list = append(*list, getContent(r))
		}
	}
	for _, list := range []*[]int{&b.To, &b.From} {
		for range r.Count(1) {
			*list = append(*list, int(r.Within(-1, math.MaxInt32)))
		}
	}
	return s
}
