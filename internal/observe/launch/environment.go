package launch

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// environment is a process environment as os.Environ gives it.
type environment []string

func (e environment) get(name string) string {
	for i := len(e) - 1; i >= 0; i-- {
		if value, ok := strings.CutPrefix(e[i], name+"="); ok {
			return value
		}
	}
	return ""
}

// with returns a copy in which name has the given value.
func (e environment) with(name, value string) environment {
	out := make(environment, 0, len(e)+1)
	for _, kv := range e {
		if !strings.HasPrefix(kv, name+"=") {
			out = append(out, kv)
		}
	}
	return append(out, name+"="+value)
}

// lookPath finds the file of a command as execvp would: by PATH unless the word has a slash, then relative to dir.
func (e environment) lookPath(word, dir string) (string, error) {
	if strings.Contains(word, "/") {
		return executable(under(dir, word))
	}
	return searchPath(word, e.get("PATH"), dir)
}

func searchPath(word, path, dir string) (string, error) {
	var refused error
	for _, d := range filepath.SplitList(path) {
		if d == "" {
			d = "."
		}
		file, err := executable(filepath.Join(under(dir, d), word))
		if err == nil {
			return file, nil
		}
		if refused == nil && !os.IsNotExist(err) {
			refused = err
		}
	}
	if refused != nil {
		return "", refused
	}
	return "", exec.ErrNotFound
}

func under(dir, path string) string {
	if filepath.IsAbs(path) || dir == "" {
		return path
	}
	return filepath.Join(dir, path)
}

// executable returns path if it can be executed.
func executable(path string) (string, error) {
	fi, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	if fi.IsDir() || fi.Mode()&0o111 == 0 {
		return "", &os.PathError{Op: "execute", Path: path, Err: fs.ErrPermission}
	}
	return path, nil
}
