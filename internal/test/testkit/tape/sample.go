package tape

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"

	"unknot/internal/agent/kernel"
	"unknot/internal/observe/ring"
)

// sampler looks at a session from outside, as the agent does, and puts on the tape what has changed.
type sampler struct {
	r       *recorder
	control *ring.Control
	rings   []*tapped
	have    uint32
	names   map[string]bool
	failed  Failed
	threads map[[2]int]*watchedThread
	gone    map[int]bool
	ends    map[int]bool
}

// tapped is a ring that is listened to.
type tapped struct {
	number int
	header *ring.RingHeader
	words  []uint64
	at     uint64 // slots that are on the tape
	last   Header
	polled time.Time // when the count of polls was noted last
	pid    int
	tid    int
	sites  map[uint64]bool
}

// watchedThread is a thread that the kernel is asked about at growing intervals.
type watchedThread struct {
	since, next time.Time
	last        Thread
}

// slots is the capacity of the rings of a job that is recorded. What the agent has read stays in them, so they are
// larger than usual: nobody waits for the sampler.
const slots = 1 << 17

func newSampler(r *recorder) (*sampler, error) {
	page, err := mapped(filepath.Join(r.session, ring.ControlName))
	if err != nil {
		return nil, err
	}
	control := (*ring.Control)(unsafe.Pointer(&page[0]))
	control.Slots = slots // the job has not started yet
	return &sampler{r: r, control: control, names: make(map[string]bool), threads: make(map[[2]int]*watchedThread),
		gone: make(map[int]bool), ends: make(map[int]bool)}, nil
}

// mapped maps a whole file.
func mapped(path string) ([]byte, error) {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	return syscall.Mmap(int(f.Fd()), 0, int(info.Size()), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
}

// run samples until over is closed. The exit status of the job comes over ended and is followed by nil once all that
// was before is noted.
func (s *sampler) run(over <-chan struct{}, ended <-chan *int) error {
	rings, processes := time.NewTicker(ringsEvery), time.NewTicker(processesEvery)
	defer rings.Stop()
	defer processes.Stop()
	for {
		var err error
		select {
		case <-rings.C:
			err = s.look()
		case <-processes.C:
			err = s.ask()
		case exit := <-ended:
			if exit != nil {
				if err = errors.Join(s.look(), s.ask()); err == nil {
					s.files()
					s.r.note(Event{Ended: exit})
				}
			}
		case <-over:
			err = s.look()
			s.resolve()
			return err
		}
		if err != nil {
			return err
		}
	}
}

// look notes what the rings have got.
func (s *sampler) look() error {
	s.r.looks()
	if failed := (Failed{atomic.LoadUint32(&s.control.Failed), atomic.LoadUint32(&s.control.Errno)}); failed != s.failed {
		s.failed = failed
		s.r.note(Event{Failed: &failed})
	}
	if n := atomic.LoadUint32(&s.control.Rings); n != s.have {
		s.have = n
		// A directory that is read while files appear in it may have the later of two, but not the earlier one.
		for tries := 0; len(s.names) < int(n) && tries < 10; tries++ {
			if err := s.discover(); err != nil {
				return err
			}
		}
	}
	events := make([]Event, len(s.rings))
	for i, t := range s.rings {
		if err := s.listen(t, &events[i]); err != nil {
			return err
		}
	}
	s.returned(events)
	s.r.note(slices.DeleteFunc(events, func(e Event) bool { return e.Slots == nil && e.Header == nil })...)
	return nil
}

// returned looks which calls have returned, once all rings have been looked at: a call that returned before a record of
// another ring was written has returned on the tape too when that record is there. A replay says this first of all that
// is of one moment.
func (s *sampler) returned(events []Event) {
	for i, t := range s.rings {
		e := &events[i]
		returned := atomic.LoadUint32(&t.header.Returned)
		if returned == t.last.Returned {
			continue
		}
		t.last.Returned = returned
		if e.Header == nil {
			e.Header = new(Header)
			*e.Header = t.last
		}
		e.Header.Returned = returned
	}
}

func (s *sampler) discover() error {
	list, err := filepath.Glob(filepath.Join(s.r.session, ring.RingPrefix+"*"))
	if err != nil {
		return err
	}
	for _, path := range list {
		if s.names[path] {
			continue
		}
		s.names[path] = true
		file, err := mapped(path)
		if err != nil {
			return err
		}
		h := (*ring.RingHeader)(unsafe.Pointer(&file[0]))
		t := &tapped{number: len(s.rings), header: h, pid: int(h.PID), tid: int(h.TID), sites: make(map[uint64]bool),
			words: unsafe.Slice((*uint64)(unsafe.Pointer(&file[ring.HeaderSize])), uint64(h.Slots)*ring.WordsNext)}
		s.rings = append(s.rings, t)
		s.r.note(Event{Made: &Made{PID: t.pid, TID: t.tid, Thread: int(h.Thread)}})
	}
	return nil
}

// listen finds out what a ring has got. What its header says is read first, except which call has returned: it is never
// ahead of the records.
func (s *sampler) listen(t *tapped, e *Event) error {
	h := s.header(t)
	head := atomic.LoadUint64(&t.header.Head)
	e.Ring = t.number
	if head != t.at {
		for at := t.at; at < head; at++ {
			slot := at % uint64(t.header.Slots) * ring.WordsNext
			e.Slots = append(e.Slots, t.words[slot:slot+ring.WordsNext]...)
		}
		if now := atomic.LoadUint64(&t.header.Head); now-t.at > uint64(t.header.Slots) {
			return fmt.Errorf("a ring of process %d was overwritten before it was on the tape", t.pid)
		}
		t.at = head
		t.read(e.Slots)
	}
	if !reflect.DeepEqual(h, t.last) {
		polls := t.last
		polls.Polls = h.Polls
		const often = 20 * time.Millisecond
		if onlyPolls := reflect.DeepEqual(h, polls); !onlyPolls || time.Since(t.polled) > often {
			t.polled, t.last = time.Now(), h
			e.Header = &h
		}
	}
	return nil
}

func (s *sampler) header(t *tapped) Header {
	h := Header{Returned: t.last.Returned, Polls: atomic.LoadUint64(&t.header.Polls),
		Left:    atomic.LoadUint32(&t.header.Left),
		Alarmed: atomic.LoadUint32(&t.header.Alarmed), UsersLost: atomic.LoadUint32(&t.header.UsersLost)}
	for i := range t.header.Users {
		if user := atomic.LoadUint32(&t.header.Users[i]); user != 0 {
			h.Users = append(h.Users, user)
		}
	}
	cause, final := atomic.LoadUint32(&t.header.Death.Cause), atomic.LoadUint32(&t.header.Death.Final)
	if cause != ring.DeathNone || final != 0 || t.last.Death != nil { // a process may begin another session
		d := ring.Death{Final: final}
		if cause != ring.DeathNone {
			d = t.header.Death
		}
		h.Death = &d
	}
	if state := atomic.LoadUint32(&t.header.Fault.State); state != ring.FaultNone {
		f := t.header.Fault
		f.State = state
		h.Fault = &f
	}
	if n := t.header.EndN; n > 0 && (h.Death != nil || h.Fault != nil) {
		h.End = slices.Clone(t.header.End[:min(int(n), len(t.header.End))])
		if h.SaidHow = t.header.SaidHow; h.SaidHow != ring.SaidNothing {
			h.Said = bytes.TrimRight(t.header.Said[:], "\x00")
		}
	}
	return h
}

// read looks for call sites, and for the thread that the ring is of, in slots that begin with a record.
func (t *tapped) read(words []uint64) {
	for len(words) > 0 {
		first, slots := words[0], uint64(uint8(words[0]>>24))
		kind := ring.Kind(first >> 16)
		if slots == 0 || slots*ring.WordsNext > uint64(len(words)) {
			return // damaged
		}
		if site := words[1]; (kind == ring.Enter || kind == ring.Data) && site != 0 && site&ring.PythonSite == 0 {
			t.sites[site] = true
		}
		if kind == ring.Data && ring.DataID(first) == ring.DataThreadBegin {
			t.tid = int(words[3])
		}
		words = words[slots*ring.WordsNext:]
	}
}

// ask asks the kernel about processes and threads.
func (s *sampler) ask() error {
	for _, t := range s.rings {
		if t.header.Thread == 0 {
			if err := s.process(t.pid); err != nil {
				return err
			}
			for _, user := range t.last.Users {
				if user != ring.Starting {
					s.thread(t.pid, int(user))
				}
			}
		}
		s.thread(t.pid, t.tid)
	}
	return nil
}

// process notes the end of a process, after all that its rings have got.
func (s *sampler) process(pid int) error {
	p := s.r.witness.Processes
	end, ended := p.End(pid)
	ended = ended && !s.ends[pid]
	gone := !s.gone[pid] && p.Gone(pid)
	if !ended && !gone {
		return nil
	}
	if err := s.look(); err != nil {
		return err
	}
	if ended {
		s.ends[pid] = true
		s.r.note(Event{End: &End{pid, end}})
	}
	if gone {
		s.gone[pid] = true
		s.r.note(Event{Gone: pid})
	}
	return nil
}

// thread notes what a thread does, at growing intervals if that is always the same.
func (s *sampler) thread(pid, tid int) {
	const often, share, most = 40 * time.Millisecond, 8, time.Second
	id, now := [2]int{pid, tid}, time.Now()
	w := s.threads[id]
	if w == nil {
		w = &watchedThread{since: now}
		s.threads[id] = w
	}
	if now.Before(w.next) {
		return
	}
	w.next = now.Add(min(max(often, now.Sub(w.since)/share), most))
	t := Thread{PID: pid, TID: tid}
	cpu, asleep := s.r.witness.Time(pid, tid)
	t.CPU, t.Asleep = cpu.Microseconds(), asleep
	slumber, sleeps := s.r.witness.Sleep(pid, tid)
	if t.Sleeps = sleeps; slumber != (kernel.Slumber{}) {
		t.Slumber = &slumber
	}
	if !reflect.DeepEqual(t, w.last) {
		w.last = t
		s.r.note(Event{Thread: &t})
	}
}

// files notes what processes have left about calls outside of MPI's life.
func (s *sampler) files() {
	list, _ := filepath.Glob(filepath.Join(s.r.session, ring.OutsidePrefix+"*"))
	files := make(map[string]string)
	for _, path := range list {
		if text, err := os.ReadFile(path); err == nil {
			files[filepath.Base(path)] = string(text)
		}
	}
	if len(files) > 0 {
		s.r.note(Event{Files: files})
	}
}

// resolve has all call sites on the tape, as a replay may ask about others than the agent did.
func (s *sampler) resolve() {
	w := symbolWitness{s.r.witness}
	for _, t := range s.rings {
		w.mu.Lock()
		m := w.maps[t.pid]
		w.mu.Unlock()
		for site := range t.sites {
			if m != nil {
				w.Frames(m, site, true)
			}
		}
	}
}

func sortAnswers(list []Answer) {
	slices.SortFunc(list, func(a, b Answer) int {
		return cmp.Or(strings.Compare(a.Module, b.Module), cmp.Compare(a.Offset, b.Offset), cmp.Compare(a.PID, b.PID),
			cmp.Compare(a.At, b.At))
	})
}

func unmap(file []byte) error { return syscall.Munmap(file) }
