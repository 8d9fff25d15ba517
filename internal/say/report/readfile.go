package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"unknot/internal/vocab/finding"
)

// ReadFile reads a saved JSON report. The error says in one sentence what is wrong with which file.
func ReadFile(path string) (*finding.Run, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("cannot read report %s: %w", path, unreadable(err))
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return nil, fmt.Errorf("cannot read report %s: it is a directory; hint: give the name of a file that "+
			"--report FILE.json has written", path)
	}
	run, err := ReadJSON(f)
	var syntax *json.SyntaxError
	var form *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax), errors.As(err, &form), errors.Is(err, errNoSchema):
		return nil, fmt.Errorf("cannot read report %s: it is not a report of unknot (%w); hint: give the name of a "+
			"file that --report FILE.json has written", path, err)
	case err != nil:
		return nil, fmt.Errorf("cannot read report %s: %w", path, err)
	}
	return run, nil
}

func unreadable(err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return errors.New("there is no such file; hint: unknot run --report FILE.json … writes one")
	case errors.Is(err, fs.ErrPermission):
		return errors.New("permission denied; hint: make it readable, or give another file")
	}
	return plain(err)
}
