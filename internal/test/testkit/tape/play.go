package tape

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
	"unsafe"

	"unknot/internal/agent"
	"unknot/internal/agent/host"
	"unknot/internal/agent/proto"
	"unknot/internal/observe/ring"
)

// AsRecorded stands for the number of ranks an agent with which a tape was recorded.
const AsRecorded = -1

// Play has the agent watch what is on a tape, with so many ranks an agent (0: all), and returns what it said.
func Play(t *testing.T, tape *Tape, ranksPerAgent int) (said []proto.Message) {
	t.Helper()
	session, err := ring.NewSession(ring.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer session.Remove()
	if said, err = bubble(t, tape, session.Dir, ranksPerAgent); err != nil {
		t.Fatal(err)
	}
	return said
}

// bubble plays a tape by a separate clock, in a session directory.
func bubble(t *testing.T, tape *Tape, dir string, ranksPerAgent int) (said []proto.Message, err error) {
	synctest.Test(t, func(*testing.T) { said, err = play(tape, dir, ranksPerAgent) })
	return said, err
}

// player is the job of a replay.
type player struct {
	tape      *Tape
	dir       string
	begin     time.Time
	processes *recordedProcesses
	control   []byte
	rings     []*played
	stop      chan struct{} // closed when the agent asks for the end of the job
	over      chan struct{} // closed when it has nothing left to do
	to        *proto.Writer
}

// played is a ring that is played.
type played struct {
	file   []byte
	header *ring.RingHeader
	words  []uint64
	at     uint64
	polls  uint64 // those that were added last, and when
	polled int64
}

func play(tape *Tape, dir string, ranksPerAgent int) ([]proto.Message, error) {
	p := &player{tape: tape, dir: dir, begin: time.Now(), processes: newProcesses(tape), stop: make(chan struct{}),
		over: make(chan struct{})}
	symbols := newSymbols(tape.Symbols)
	var err error
	if symbols.here, err = project(); err != nil {
		return nil, err
	}
	symbols.there = tape.Head.Project
	if p.control, err = mapped(filepath.Join(dir, ring.ControlName)); err != nil {
		return nil, err
	}
	defer p.close()
	o := tape.Head.Options
	if o.Session, o.Trace = dir, tape.Trace; ranksPerAgent != AsRecorded {
		o.RanksPerAgent = ranksPerAgent
	}
	hear, in := io.Pipe()
	read, out := io.Pipe()
	p.to = proto.NewWriter(in)
	watched, played := make(chan error, 1), make(chan error, 1)
	go func() {
		watched <- host.Watch(context.Background(), o, agent.World{Processes: p.processes, Symbols: symbols}, hear,
			out)
		out.Close()
		hear.Close()
	}()
	go func() { played <- p.run() }()
	var said []proto.Message
	stopped := false
	for from := proto.NewReader(read); ; {
		m, err := from.Receive()
		if err != nil {
			break
		}
		if (m.Type == proto.Stop || m.Type == proto.Leave) && !stopped {
			stopped = true
			close(p.stop)
		}
		said = append(said, m)
	}
	close(p.over)
	err = <-watched
	in.Close()
	if failed := <-played; err == nil {
		err = failed
	}
	if len(symbols.missing) > 0 && err == nil {
		err = fmt.Errorf("the agent asks about symbols that are not on the tape: %v; hint: make record",
			symbols.missing)
	}
	return said, err
}

func (p *player) close() {
	for _, r := range p.rings {
		_ = unmap(r.file)
	}
	_ = unmap(p.control)
}

// patience is how long a replay waits for what the agent did when the tape was recorded, by its clock.
const patience = 100 * time.Second

// run plays the events, each at its moment.
func (p *player) run() error {
	held := time.Duration(0)
	for i := range p.tape.Events {
		e := &p.tape.Events[i]
		select {
		case <-p.over:
			return nil
		case <-time.After(e.time() + held - time.Since(p.begin)):
		}
		if e.Stop {
			from := time.Now()
			if !p.await(e.At) {
				return nil // the agent has not asked for the end of a job that never ends
			}
			held += time.Since(from)
			continue
		}
		if i == 0 || e.At != p.tape.Events[i-1].At || p.tape.Events[i-1].Made != nil {
			p.returned(p.tape.Events[i:])
		}
		if err := p.do(e); err != nil {
			return err
		}
	}
	return nil
}

// returned says which calls have returned at the moment of the first event, of rings that are there, before the agent
// can see a record of that moment: in the job another thread wrote it after they had.
func (p *player) returned(events []Event) {
	for i := range events {
		e := &events[i]
		if e.At != events[0].At {
			return
		}
		if e.Header != nil && e.Ring < len(p.rings) {
			atomic.StoreUint32(&p.rings[e.Ring].header.Returned, e.Header.Returned)
		}
	}
}

// await waits until the agent asks for the end of the job. Ranks that poll go on.
func (p *player) await(at int64) bool {
	const every = 10 * time.Millisecond
	for range patience / every {
		select {
		case <-p.stop:
			return true
		case <-p.over:
			return false
		case <-time.After(every):
		}
		for _, r := range p.rings {
			if r.polled > at-time.Second.Microseconds() && r.polls > 0 {
				atomic.AddUint64(&r.header.Polls, 1)
			}
		}
	}
	zero := -1
	_ = p.do(&Event{Ended: &zero})
	return false
}

func (p *player) do(e *Event) error {
	p.processes.take(e)
	switch {
	case e.Made != nil:
		return p.make(e.Made)
	case e.Slots != nil || e.Header != nil:
		r := p.rings[e.Ring]
		p.publish(r, e.Slots)
		if e.Header != nil {
			r.tell(e.Header, e.At)
		}
	case e.Failed != nil:
		c := (*ring.Control)(unsafe.Pointer(&p.control[0]))
		atomic.StoreUint32(&c.Errno, e.Failed.Errno)
		atomic.StoreUint32(&c.Failed, e.Failed.Failed)
	case e.Files != nil:
		for name, text := range e.Files {
			if err := os.WriteFile(filepath.Join(p.dir, name), []byte(text), 0o600); err != nil {
				return err
			}
		}
	case e.Ended != nil:
		return p.to.Send(proto.Message{Type: proto.Ended, Exit: *e.Ended})
	}
	return nil
}

// make makes a ring as a probe does: under another name until it is complete.
func (p *player) make(m *Made) error {
	id := fmt.Sprintf("%d.%d", m.PID, m.TID)
	path := filepath.Join(p.dir, ring.TempPrefix+id)
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := f.Truncate(int64(ring.RingBytes(ring.DefaultSlots))); err != nil {
		return err
	}
	file, err := mapped(path)
	if err != nil {
		return err
	}
	r := &played{file: file, header: (*ring.RingHeader)(unsafe.Pointer(&file[0]))}
	r.words = unsafe.Slice((*uint64)(unsafe.Pointer(&file[ring.HeaderSize])),
		len(file[ring.HeaderSize:])/binary.Size(uint64(0)))
	h := r.header
	h.Magic, h.Version, h.Slots = ring.Magic, ring.Version, ring.DefaultSlots
	h.PID, h.TID, h.Thread = uint32(m.PID), uint32(m.TID), uint32(m.Thread)
	p.rings = append(p.rings, r)
	if err := os.Rename(path, filepath.Join(p.dir, ring.RingPrefix+id)); err != nil {
		return err
	}
	atomic.AddUint32(&(*ring.Control)(unsafe.Pointer(&p.control[0])).Rings, 1)
	return nil
}

// publish writes records as far as there is room for them, and continues when the agent has made some.
func (p *player) publish(r *played, words []uint64) {
	capacity := uint64(r.header.Slots)
	for len(words) > 0 {
		slots := uint64(uint8(words[0] >> 24)) // of one record
		for r.at+slots-atomic.LoadUint64(&r.header.Tail) > capacity {
			if atomic.LoadUint32(&r.header.Reader) == ring.ReaderUnread {
				return
			}
			select {
			case <-p.over:
				return
			case <-time.After(100 * time.Microsecond):
			}
		}
		for i := range slots * ring.WordsNext {
			r.words[(r.at*ring.WordsNext+i)%uint64(len(r.words))] = words[i]
		}
		words = words[slots*ring.WordsNext:]
		r.at += slots
		atomic.StoreUint64(&r.header.Head, r.at)
	}
}

// tell writes what the header says.
func (r *played) tell(h *Header, at int64) {
	to := r.header
	if h.Polls != atomic.LoadUint64(&to.Polls) {
		r.polls, r.polled = h.Polls, at
		atomic.StoreUint64(&to.Polls, h.Polls)
	}
	atomic.StoreUint32(&to.Left, h.Left)
	atomic.StoreUint32(&to.Alarmed, h.Alarmed)
	atomic.StoreUint32(&to.UsersLost, h.UsersLost)
	for i := range to.Users {
		user := uint32(0)
		if i < len(h.Users) {
			user = h.Users[i]
		}
		atomic.StoreUint32(&to.Users[i], user)
	}
	if h.Fault != nil {
		to.Fault = *h.Fault
	}
	to.EndN, to.SaidHow = uint32(copy(to.End[:], h.End)), h.SaidHow
	copy(to.Said[:], h.Said)
	if h.Death != nil {
		d := *h.Death
		cause := d.Cause
		d.Cause = ring.DeathNone
		to.Death = d
		atomic.StoreUint32(&to.Death.Cause, cause)
	}
}
