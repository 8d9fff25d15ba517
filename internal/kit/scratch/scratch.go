// Package scratch owns the directories in which something for a cache is made before it is renamed into place. Its
// maker removes such a directory; one whose maker was killed is removed when the cache is used next.
//
// Whether a maker is alive is known by a lock that it holds, not by an age: a compiler may take as long as it likes.
// flock(2) holds on file systems that several hosts share, too, and the kernel releases the lock however the process
// ends. With such a lock makers also wait for each other, so that what several need at the same time is made once.
package scratch

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Dir is a directory to make something in.
type Dir struct {
	Path  string // it is empty at first; it and what is in it may be renamed
	outer string
	lock  *os.File // nil where the file system has no locks
}

// lockName is the file in the outer directory that its maker has locked.
const lockName = "lock"

// New makes a directory in a cache. What its name begins with is for Sweep.
func New(cache, prefix string) (*Dir, error) {
	outer, err := os.MkdirTemp(cache, prefix+"*")
	if err != nil {
		return nil, err
	}
	d := &Dir{Path: filepath.Join(outer, "work"), outer: outer}
	if d.lock, err = holdLock(filepath.Join(outer, lockName)); err == nil {
		err = os.Mkdir(d.Path, 0o700)
	}
	if err != nil {
		d.Remove()
		return nil, err
	}
	return d, nil
}

// Remove removes the directory with what is still in it.
func (d *Dir) Remove() {
	_ = os.RemoveAll(d.outer) // what cannot be removed now is left to Sweep
	if d.lock != nil {
		d.lock.Close()
	}
}

// Turn waits for those who have a turn at a path, and returns what ends one's own. Where the file system has no locks,
// nobody waits. The path is a file while somebody has a turn; a name that Sweep looks for gets rid of what a killed
// process has left.
func Turn(ctx context.Context, path string) (end func(), err error) {
	return TurnTelling(ctx, path, func() {})
}

// TurnTelling is Turn for those who want to know that they wait: waits is called before, at most once.
func TurnTelling(ctx context.Context, path string, waits func()) (end func(), err error) {
	waits = sync.OnceFunc(waits)
	for {
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			return nil, err
		}
		if err := waitForLock(ctx, f, waits); err != nil {
			return nil, err
		}
		end := func() {
			_ = os.Remove(path)
			f.Close()
		}
		locked, err := f.Stat()
		if there, err2 := os.Stat(path); err == nil && err2 == nil && os.SameFile(locked, there) {
			return end, nil
		}
		f.Close() // whose turn it was has removed the file; others have made it again
	}
}

// waitForLock locks a file, unless the file system has no locks, and closes it if it is not to be waited for any more.
func waitForLock(ctx context.Context, f *os.File, waits func()) error {
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err == nil {
		return nil
	} else if err == syscall.EWOULDBLOCK {
		waits()
	}
	mine := make(chan struct{})
	go func() {
		defer close(mine)
		for syscall.Flock(int(f.Fd()), syscall.LOCK_EX) == syscall.EINTR {
		}
	}()
	select {
	case <-mine:
		return nil
	case <-ctx.Done():
		go func() {
			<-mine
			f.Close()
		}()
		return ctx.Err()
	}
}

// holdLock makes a file that is locked from the moment at which it has its name. It returns nil if that cannot be on
// this file system.
func holdLock(path string) (*os.File, error) {
	young := path + ".new"
	f, err := os.OpenFile(young, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	if syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != nil {
		f.Close()
		return nil, os.Remove(young)
	}
	if err := os.Rename(young, path); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// unlockedAge is how old must be what has no lock. That is what its maker locks in the next moment, a file that is
// written in one go, or a directory on a file system without locks, of whose maker nothing is known.
const unlockedAge = 24 * time.Hour

// Sweep removes what begins with one of the prefixes in a cache and whose maker is gone. What stands in its way is left
// for the next time.
func Sweep(cache string, prefixes ...string) {
	entries, err := os.ReadDir(cache)
	if err != nil {
		return
	}
	for _, e := range entries {
		for _, prefix := range prefixes {
			if strings.HasPrefix(e.Name(), prefix) {
				sweep(filepath.Join(cache, e.Name()))
				break
			}
		}
	}
}

func sweep(path string) {
	lock, err := os.OpenFile(filepath.Join(path, lockName), os.O_RDWR, 0)
	switch {
	case err == nil:
		defer lock.Close()
		if syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil {
			_ = os.RemoveAll(path)
		}
	case errors.Is(err, os.ErrNotExist) || errors.Is(err, syscall.ENOTDIR):
		if info, err := os.Lstat(path); err == nil && time.Since(info.ModTime()) > unlockedAge {
			_ = os.RemoveAll(path)
		}
	}
}
