// Package owned says whether others than this user and root could have put what lies at a path. A directory such as
// /tmp or /dev/shm is shared: what has a name of unknot there may be anybody's, a pipe that blocks who opens it, or a
// file that is cut while it is mapped.
package owned

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// Open opens a regular file of this user without waiting for anything and without following a symbolic link at its
// name. Flags are those of os.OpenFile that open what is there.
func Open(path string, flags int) (*os.File, error) {
	f, err := os.OpenFile(path, flags|syscall.O_NOFOLLOW|syscall.O_NONBLOCK|syscall.O_NOCTTY, 0)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !(info.Mode().IsRegular() && ownerOf(info) == os.Geteuid()) {
		err = &fs.PathError{Op: "open", Path: path, Err: errNotOwn}
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

var errNotOwn = errors.New("not a regular file of this user")

// IsDir says whether a path is a directory of this user that nobody else can write to. A symbolic link is none.
func IsDir(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.IsDir() && ownerOf(info) == os.Geteuid() && !othersWrite(info)
}

// Check says in the error why a directory or a file is not to be trusted with what this user executes: it, a directory
// above it or one that a symbolic link on the way leads to belongs to somebody else than this user, root, or the owner
// of this program, or can be changed by others. Above the path itself a group may write, whose members are trusted.
// What is not there is nobody's.
func Check(path string) error {
	path, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	return check(path, 0)
}

// maxLinks is as many symbolic links as Linux follows.
const maxLinks = 40

func check(path string, links int) error {
	at := "/"
	names := strings.Split(strings.Trim(path, "/"), "/")
	if path == "/" {
		names = nil
	}
	for i := 0; ; i++ {
		info, err := os.Lstat(at)
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
			return nil
		}
		if err != nil {
			return err
		}
		if !trusted(ownerOf(info)) {
			return fmt.Errorf("%s belongs to user %d", at, ownerOf(info))
		}
		last := i == len(names)
		if info.Mode()&fs.ModeSymlink != 0 {
			to, err := os.Readlink(at)
			if err != nil {
				return err
			}
			if links == maxLinks {
				return &fs.PathError{Op: "open", Path: at, Err: syscall.ELOOP}
			}
			if !filepath.IsAbs(to) {
				to = filepath.Join(filepath.Dir(at), to)
			}
			return check(filepath.Join(append([]string{to}, names[i:]...)...), links+1)
		}
		sticky := info.IsDir() && !last && info.Mode()&fs.ModeSticky != 0 // others cannot replace what is in it
		if by := writers(info, last); by != "" && !sticky {
			return fmt.Errorf("%s can be changed by %s", at, by)
		}
		if last {
			return nil
		}
		at = filepath.Join(at, names[i])
	}
}

// CheckTree is Check for a directory and all that is in it.
func CheckTree(dir string) error {
	if err := Check(dir); err != nil {
		return err
	}
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		if d.Type()&fs.ModeSymlink != 0 {
			return Check(path)
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if !trusted(ownerOf(info)) {
			return fmt.Errorf("%s belongs to user %d", path, ownerOf(info))
		}
		if by := writers(info, true); by != "" {
			return fmt.Errorf("%s can be changed by %s", path, by)
		}
		return nil
	})
}

// Hint is what to do about what Check says.
const Hint = "hint: what unknot loads into a program has to belong to you or to root, and so have the directories " +
	"above it, and nobody else may write there"

// writers are those besides the owner who can write: "" if nobody can. A group is passed over if it is the owner's
// private one, which has the owner's number, as Linux distributions make them.
func writers(info fs.FileInfo, group bool) string {
	mode := info.Mode().Perm()
	switch {
	case mode&0o002 != 0:
		return "everybody"
	case group && othersWrite(info):
		return fmt.Sprintf("group %d", groupOf(info))
	}
	return ""
}

func othersWrite(info fs.FileInfo) bool {
	mode := info.Mode().Perm()
	return mode&0o002 != 0 || mode&0o020 != 0 && groupOf(info) != ownerOf(info)
}

// trusted says whether a user could have this one execute anything in any case: root, who owns the file that this
// process executes, and who owns the root directory, as which root counts in a user namespace that does not know it.
func trusted(uid int) bool {
	if uid == 0 || uid == os.Geteuid() {
		return true
	}
	if info, err := os.Stat("/"); err == nil && uid == ownerOf(info) {
		return true
	}
	info, err := os.Stat("/proc/self/exe")
	return err == nil && uid == ownerOf(info)
}

func ownerOf(info fs.FileInfo) int { return int(info.Sys().(*syscall.Stat_t).Uid) }
func groupOf(info fs.FileInfo) int { return int(info.Sys().(*syscall.Stat_t).Gid) }
