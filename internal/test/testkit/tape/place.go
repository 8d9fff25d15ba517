package tape

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// anywhere stands in an archive for the project's directory, so that the sources of its programs are found wherever it
// is checked out.
const anywhere = "project:"

// project is the project's directory, in which a test runs.
func project() (string, error) {
	dir, err := os.Getwd()
	for err == nil {
		if _, err = os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		if up := filepath.Dir(dir); up != dir && errors.Is(err, fs.ErrNotExist) {
			dir, err = up, nil
		}
	}
	return "", err
}

// beginning is how paths below a directory begin in the text of a tape.
func beginning(dir string) []byte {
	text, _ := json.Marshal(dir + "/") // a string
	return text[:len(text)-1]
}

// placed is the text of a tape with what is below one directory below another one.
func placed(text []byte, from, to string) []byte {
	return bytes.ReplaceAll(text, beginning(from), beginning(to))
}
