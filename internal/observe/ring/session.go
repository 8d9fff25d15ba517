package ring

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"

	"unknot/internal/kit/owned"
	"unknot/internal/kit/procstat"
)

// Session is the directory that an agent and the probes of its node share: the control file and the rings.
type Session struct {
	Dir string
	// Passed says which places before Dir's were passed over and why, "" if none was.
	Passed  string
	control *Control
	mapping []byte
	held    *os.File // the control file, locked, for as long as the process lives that has made the session
	rings   uint32
	seen    map[string]bool
	unread  []int
}

// Options says what a session has to hold.
type Options struct {
	// Ranks is the number of rings to expect, for the check of free space; at least 1 is assumed.
	Ranks int
	// Slots is the capacity of each ring, a power of two of at least MinSlots; 0 means DefaultSlots.
	Slots int
	// Sent has the probes look whether the program changes the data of a send before that is complete: SentNot,
	// SentSome or SentMore.
	Sent uint32
	// Slowdown is by how many thousandths a program may take longer as its accesses to windows are noted; 0 for no
	// bound.
	Slowdown uint32
	// Fold is the number of slots that must have repeated those a period before until records are counted and not
	// written (FoldLeast); 0 for never.
	Fold uint32
	// EachSpin has records written that repeat at once, as where a program spins: a trace has them all.
	EachSpin bool
	// Dirs are the places to try, in order; nil means /dev/shm, $TMPDIR, /tmp.
	Dirs []string
	// Dir is the directory to be, which another host has chosen; "" for a new one in one of Dirs.
	Dir string
}

// NewSession makes the session directory in the first place that has room for the rings of all ranks, preferring memory
// to disk, and the control file in it.
func NewSession(o Options) (*Session, error) {
	if o.Slots == 0 {
		o.Slots = DefaultSlots
	}
	if o.Slots < MinSlots || o.Slots&(o.Slots-1) != 0 {
		return nil, fmt.Errorf("ring capacity %d: not a power of two of at least %d", o.Slots, MinSlots)
	}
	if o.Dir != "" {
		return newSessionAt(o)
	}
	if o.Dirs == nil {
		o.Dirs = []string{"/dev/shm", os.TempDir(), "/tmp"}
	}
	need := uint64(max(o.Ranks, 1))*RingBytes(o.Slots) + HeaderSize
	var why []string
	for _, parent := range o.Dirs {
		sweep(parent)
		var fs syscall.Statfs_t
		if err := syscall.Statfs(parent, &fs); err != nil {
			why = append(why, fmt.Sprintf("%s: %v", parent, err))
			continue
		}
		if free := fs.Bavail * uint64(fs.Bsize); free < need+reserve(&fs, max(o.Ranks, 1)) {
			why = append(why, fmt.Sprintf("%s: %d KiB free", parent, free>>10))
			continue
		}
		dir, err := os.MkdirTemp(parent, "unknot-")
		if err != nil {
			why = append(why, err.Error())
			continue
		}
		s := &Session{Dir: dir, Passed: strings.Join(why, "; "), seen: map[string]bool{}}
		if err := s.createControl(o); err != nil {
			os.RemoveAll(dir)
			why = append(why, err.Error())
			continue
		}
		return s, nil
	}
	return nil, fmt.Errorf("no space for the rings of %d ranks, which need %d KiB (%s); hint: free some space "+
		"or set TMPDIR",
		max(o.Ranks, 1), need>>10, strings.Join(why, "; "))
}

// newSessionAt makes the session directory that another host has chosen. It appears with its control file in it.
func newSessionAt(o Options) (*Session, error) {
	sweep(filepath.Dir(o.Dir))
	dir, err := os.MkdirTemp(filepath.Dir(o.Dir), filepath.Base(o.Dir)+".")
	if err != nil {
		return nil, fmt.Errorf("session %s: %w", o.Dir, err)
	}
	s := &Session{Dir: dir, seen: map[string]bool{}}
	if err = s.createControl(o); err == nil {
		err = os.WriteFile(filepath.Join(dir, JoinedName), nil, 0o600)
	}
	if err == nil {
		err = os.Rename(dir, o.Dir)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("session %s: %w", o.Dir, err), s.Close(), os.RemoveAll(dir))
	}
	s.Dir = o.Dir
	return s, nil
}

// sweep removes the sessions of this user in a directory of which everything was killed. A supervisor holds the lock of
// the session that it has made, as its agent may be lost before; that of another host has nobody but its agent. An
// agent whose supervisor was killed ends the job and removes the session itself.
func sweep(dir string) {
	found, err := filepath.Glob(filepath.Join(dir, "unknot-*"))
	if err != nil {
		return
	}
	for _, session := range found {
		if !owned.IsDir(session) { // others may make there what they like
			continue
		}
		if _, err := os.Lstat(filepath.Join(session, JoinedName)); err == nil ||
			!isHeld(filepath.Join(session, ControlName)) {
			removeLeft(session)
		}
	}
}

// isHeld says whether a process holds the lock of a control file, as far as it can be opened and locked: else it counts
// as held.
func isHeld(control string) bool {
	f, err := owned.Open(control, os.O_RDONLY)
	if err != nil {
		return true
	}
	defer f.Close()
	return unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) != nil
}

// removeLeft removes a session, unless its agent lives.
func removeLeft(dir string) {
	s, err := OpenSession(dir)
	if err != nil {
		return
	}
	if pid := int(atomic.LoadUint32(&s.control.AgentPID)); startOf(pid) == atomic.LoadUint64(&s.control.AgentStart) {
		_ = s.Close()
		return
	}
	_ = s.Remove() // ranks that may be left keep what they have mapped
}

// OfMPI is about how much shared memory a rank's MPI library takes for itself, in bytes.
const OfMPI = 8 << 20

// reserve is what must be left of a file system when the rings of all ranks are in it, in bytes. MPI libraries keep
// buffers in shared memory, and a rank that finds none any more dies of SIGBUS.
func reserve(fs *syscall.Statfs_t, ranks int) uint64 {
	const tmpfs = 0x01021994
	keep := min(fs.Blocks*uint64(fs.Bsize)/ReserveShare, ReserveMost)
	if fs.Type == tmpfs {
		keep = max(keep, uint64(ranks)*OfMPI)
	}
	return keep
}

// RingBytes is the size of a ring file with the given capacity.
func RingBytes(slots int) uint64 { return HeaderSize + uint64(slots)*SlotSize }

// OpenSession attaches to a session that another process made.
func OpenSession(dir string) (*Session, error) {
	f, err := owned.Open(filepath.Join(dir, ControlName), os.O_RDWR)
	if err != nil {
		return nil, fmt.Errorf("session %s: %w", dir, err)
	}
	defer f.Close()
	s := &Session{Dir: dir, seen: map[string]bool{}}
	if err := s.mapControl(f); err != nil {
		return nil, err
	}
	if s.control.Magic != Magic || s.control.Version != Version {
		err := fmt.Errorf("session %s: magic %#x version %d, expected %#x version %d; hint: both sides must be the "+
			"same version of unknot",
			dir, s.control.Magic, s.control.Version, Magic, Version)
		s.Close()
		return nil, err
	}
	return s, nil
}

func (s *Session) createControl(o Options) error {
	f, err := os.OpenFile(filepath.Join(s.Dir, ControlName), os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	s.held = f
	_ = unix.Flock(int(f.Fd()), unix.LOCK_SH) // where files cannot be locked, isHeld locks none either
	if _, err := f.Write(make([]byte, HeaderSize)); err != nil {
		return err
	}
	if err := s.mapControl(f); err != nil {
		return err
	}
	c := s.control
	c.Magic, c.Version, c.Slots = Magic, Version, uint32(o.Slots)
	s.SetAgent(os.Getpid())
	c.Sent, c.Fold, c.Slowdown = o.Sent, o.Fold, o.Slowdown
	if o.EachSpin {
		c.EachSpin = 1
	}
	atomic.StoreUint32(&c.State, StateWatching)
	return nil
}

func (s *Session) mapControl(f *os.File) error {
	if fi, err := f.Stat(); err != nil {
		return err
	} else if fi.Size() < HeaderSize {
		return fmt.Errorf("control file %s has %d bytes, expected %d", f.Name(), fi.Size(), HeaderSize)
	}
	m, err := syscall.Mmap(int(f.Fd()), 0, HeaderSize, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	if err != nil {
		return fmt.Errorf("control file %s: %w", f.Name(), err)
	}
	s.mapping = m
	s.control = (*Control)(unsafe.Pointer(&m[0]))
	return nil
}

// SetAgent names the process whose end makes the probes step aside. It is at first the one that made the session.
func (s *Session) SetAgent(pid int) {
	atomic.StoreUint64(&s.control.AgentStart, startOf(pid))
	atomic.StoreUint32(&s.control.AgentPID, uint32(pid))
}

// startOf is when a process was started, in clock ticks since the machine was; 0 if that cannot be had.
func startOf(pid int) uint64 {
	s, err := procstat.Of("/proc/" + strconv.Itoa(pid))
	if err != nil {
		return 0
	}
	n, _ := strconv.ParseUint(s[procstat.Start], 10, 64)
	return n
}

// Sent is how closely the probes look at the data of sends.
func (s *Session) Sent() uint32 { return s.control.Sent }

// Slowdown is by how many thousandths a program may take longer as its accesses are noted.
func (s *Session) Slowdown() uint32 { return s.control.Slowdown }

// WriteAll has the probes write all records, also those that repeat. It comes before the job.
func (s *Session) WriteAll() { s.control.Fold = 0 }

// MarkGone tells the probes that nobody reads any more: they step aside and the program runs on.
func (s *Session) MarkGone() { atomic.StoreUint32(&s.control.State, StateGone) }

// Failed tells how many rings could not be created, and why the last one could not.
func (s *Session) Failed() (int, syscall.Errno) {
	n := atomic.LoadUint32(&s.control.Failed)
	return int(n), syscall.Errno(atomic.LoadUint32(&s.control.Errno))
}

// Wrong says whether a probe found itself in a program of another MPI library, and which file that is.
func (s *Session) Wrong() (path string, wrong bool) {
	loaded, _, _ := bytes.Cut(s.control.Loaded[:], []byte{0})
	return string(loaded), atomic.LoadUint32(&s.control.Wrong) != 0
}

// Alone is what processes say of which each is alone, though a launcher has started them together.
type Alone struct {
	Processes, Size, By, Evidence   int
	Library, Program, LauncherAbove string
}

// Alone tells it; there is nothing to tell if no process has said so.
func (s *Session) Alone() Alone {
	c := s.control
	text := func(b []byte) string {
		t, _, _ := bytes.Cut(b, []byte{0})
		return string(t)
	}
	return Alone{
		Processes: int(atomic.LoadUint32(&c.Alone)), Size: int(c.AloneSize), By: int(c.AloneBy),
		Evidence: int(c.AloneEvidence),
		Library:  text(c.AloneLibrary[:]), Program: text(c.AloneProgram[:]), LauncherAbove: text(c.AloneLauncher[:]),
	}
}

// Discover opens the rings that have appeared since the last call. It costs a load when there are none. A ring that
// cannot be opened is reported, with the others, and not tried again: its producer learns that nobody reads it, and
// Unread names the process.
func (s *Session) Discover() ([]*Ring, error) {
	n := atomic.LoadUint32(&s.control.Rings)
	if n == s.rings {
		return nil, nil
	}
	entries, err := os.ReadDir(s.Dir)
	if err != nil {
		return nil, fmt.Errorf("session %s: %w", s.Dir, err)
	}
	s.rings = n
	var found []*Ring
	var errs []error
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), RingPrefix) || s.seen[e.Name()] {
			continue
		}
		s.seen[e.Name()] = true
		r, err := Open(filepath.Join(s.Dir, e.Name()))
		if err != nil {
			errs = append(errs, err)
			s.refuse(e.Name())
			continue
		}
		found = append(found, r)
	}
	return found, errors.Join(errs...)
}

// JobOf is the number of the job that a process with a ring in a session's directory belongs to, also after its end; 0
// if it is not known.
func JobOf(session string, pid int) uint32 {
	rings, _ := filepath.Glob(filepath.Join(session, RingPrefix+strconv.Itoa(pid)+".*"))
	for _, path := range rings {
		f, err := os.Open(path)
		if err != nil {
			continue
		}
		var word [4]byte
		_, err = f.ReadAt(word[:], int64(unsafe.Offsetof(RingHeader{}.Job)))
		f.Close()
		if job := binary.NativeEndian.Uint32(word[:]); err == nil && job != 0 {
			return job
		}
	}
	return 0
}

// refuse tells the producer of a ring that cannot be opened that nobody reads it: in the ring's header if that can be
// written, else in the control file, where it means any ring that has not been opened.
func (s *Session) refuse(name string) {
	pid, _, _ := strings.Cut(strings.TrimPrefix(name, RingPrefix), ".")
	if n, err := strconv.Atoi(pid); err == nil {
		s.unread = append(s.unread, n)
	}
	if err := markUnread(filepath.Join(s.Dir, name)); err != nil {
		atomic.AddUint32(&s.control.Unread, 1)
	}
}

func markUnread(path string) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	word := binary.NativeEndian.AppendUint32(nil, ReaderUnread)
	_, err = f.WriteAt(word, int64(unsafe.Offsetof(RingHeader{}.Reader)))
	return err
}

// Unread gives the processes with rings that Discover could not open since the last call.
func (s *Session) Unread() []int {
	pids := s.unread
	s.unread = nil
	return pids
}

// Close unmaps the control file and leaves the directory.
func (s *Session) Close() error {
	if s.held != nil {
		s.held.Close()
		s.held = nil
	}
	if s.mapping == nil {
		return nil
	}
	m := s.mapping
	s.mapping, s.control = nil, nil
	return syscall.Munmap(m)
}

// Bell is how often probes have rung for the agent; see AwaitBell.
func (s *Session) Bell() uint32 { return atomic.LoadUint32(&s.control.Bell) }

// AwaitBell returns when somebody has rung since Bell was what was seen. A signal may end the wait, too.
func (s *Session) AwaitBell(seen uint32) {
	const futexWait = 0
	syscall.Syscall6(syscall.SYS_FUTEX, uintptr(unsafe.Pointer(&s.control.Bell)), futexWait, uintptr(seen), 0, 0, 0)
}

// Ring rings the bell, as probes do.
func (s *Session) Ring() {
	atomic.AddUint32(&s.control.Bell, 1)
	wake(&s.control.Bell)
}

// Remove tells the probes to step aside, closes the session and removes its directory.
func (s *Session) Remove() error {
	if s.control != nil {
		s.MarkGone()
	}
	return errors.Join(s.Close(), os.RemoveAll(s.Dir))
}
