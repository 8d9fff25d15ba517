package report

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// WriteFile writes a report to path so that a reader sees the old file or the whole new one, never a part: into a
// temporary file beside it that is renamed at the end. A path that exists and is not a regular file, such as
// /dev/stdout, is written directly, and so is a file that may be written but not replaced: one in a directory that may
// not be written, or one that something is mounted on. The error says in one sentence which path could not be written
// and why.
func WriteFile(path string, write func(io.Writer) error) error {
	if err := writeFile(path, write); err != nil {
		return fmt.Errorf("cannot write report %s: %w", path, plain(err))
	}
	return nil
}

// Stream is the standard output or error, if a path names it. A report goes there as other output does, even where it
// leads to a file.
func Stream(path string) *os.File {
	switch path {
	case "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1":
		return os.Stdout
	case "/dev/stderr", "/dev/fd/2", "/proc/self/fd/2":
		return os.Stderr
	}
	return nil
}

func writeFile(path string, write func(io.Writer) error) error {
	if path == "" {
		return errors.New("the path is empty")
	}
	if stream := Stream(path); stream != nil {
		return fill(stream, write)
	}
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return errors.New("it is a directory; hint: give the name of a file in it")
	case err == nil && !info.Mode().IsRegular():
		return overwrite(path, write)
	}
	// The rename must replace the file that a link points to, not the link.
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	return replace(path, info, write)
}

// replace puts a new file in place of path, with the permissions of the old one if there was one.
func replace(path string, old fs.FileInfo, write func(io.Writer) error) error {
	if old != nil {
		// A file that may not be written must not be replaced either, although the rename alone would be allowed.
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		f.Close()
	}
	tmp, err := createBeside(path)
	switch {
	case err != nil && old != nil:
		return overwrite(path, write)
	case err != nil:
		return err
	}
	defer os.Remove(tmp.Name()) // nothing is there any more if it was renamed
	if old != nil {
		if err := tmp.Chmod(old.Mode().Perm()); err != nil {
			tmp.Close()
			return err
		}
	}
	if err := errors.Join(fill(tmp, write), tmp.Close()); err != nil {
		return err
	}
	if err := os.Rename(tmp.Name(), path); err == nil || old == nil {
		return err
	}
	return overwrite(path, write)
}

// overwrite writes to what is there already. It does not wait for somebody to read a named pipe: that may take forever.
func overwrite(path string, write func(io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_TRUNC|syscall.O_NONBLOCK, 0)
	if err != nil {
		return err
	}
	return errors.Join(fill(f, write), f.Close())
}

// createBeside makes a new file in the directory of path, with the permissions that a plain new file would have.
func createBeside(path string) (*os.File, error) {
	for i := 0; ; i++ {
		name := fmt.Sprintf("%s/.%.64s.%d-%d", filepath.Dir(path), filepath.Base(path), os.Getpid(), i)
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if !errors.Is(err, fs.ErrExist) || i == 100 {
			return f, err
		}
	}
}

func fill(f io.Writer, write func(io.Writer) error) error {
	w := bufio.NewWriter(f)
	if err := write(w); err != nil {
		return err
	}
	return w.Flush()
}

// plain drops the operation and the temporary name from a file error, and says what to do where it is known.
func plain(err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return errors.New("the directory does not exist; hint: create it first")
	case errors.Is(err, fs.ErrPermission):
		return errors.New("permission denied; hint: choose a path that you may write to")
	case errors.Is(err, syscall.ENXIO):
		return errors.New("nobody reads this pipe; hint: start its reader first")
	}
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	var link *os.LinkError
	if errors.As(err, &link) {
		return link.Err
	}
	return err
}
