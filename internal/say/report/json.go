package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"unknot/internal/vocab/finding"
)

// maxIndented is the size in bytes up to which a document is indented for people; beyond it, indenting would only make
// a large file several times larger.
const maxIndented = 1 << 20

// JSON writes the whole result of a run as one document of schema "unknot.findings/1" (docs/json.md), with findings in
// their total order.
func JSON(w io.Writer, run *finding.Run) error { return write(w, document{Run: normal(run)}) }

// Whole writes the same document with the meanings of places added, for a reader that will report its findings again.
func Whole(w io.Writer, run *finding.Run) error {
	d := document{Run: normal(run)}
	for i := range d.Findings {
		d.Meanings = append(d.Meanings, d.Findings[i].Meanings())
	}
	return write(w, d)
}

// document is what JSON or Whole writes.
type document struct {
	*finding.Run
	Meanings [][]finding.Meaning // of each finding
}

// MarshalJSON writes the meanings behind all other keys.
func (d document) MarshalJSON() ([]byte, error) {
	run, err := compact(d.Run)
	if err != nil || d.Meanings == nil {
		return run, err
	}
	meanings, err := compact(d.Meanings)
	return slices.Concat(bytes.TrimSuffix(bytes.TrimSpace(run), []byte("}")), []byte(`,"meanings":`), meanings,
		[]byte("}")), err
}

// UnmarshalJSON reads what MarshalJSON writes.
func (d *document) UnmarshalJSON(text []byte) error {
	if err := json.Unmarshal(text, d.Run); err != nil {
		return err
	}
	return json.Unmarshal(text, &struct {
		Meanings *[][]finding.Meaning `json:"meanings"`
	}{&d.Meanings})
}

// write writes the document. Its history is long lists of numbers, which stand in one line behind all that is for
// people.
func write(w io.Writer, d document) error {
	run := *d.Run
	history := run.History
	run.History, d.Run = nil, &run
	out, err := compact(d)
	if err != nil {
		return err
	}
	if len(out) <= maxIndented {
		var indented bytes.Buffer
		if err := json.Indent(&indented, out, "", "  "); err != nil {
			return err
		}
		out = indented.Bytes()
	}
	if history != nil {
		line, err := compact(history)
		if err != nil {
			return err
		}
		open := bytes.TrimSpace(bytes.TrimSuffix(bytes.TrimSpace(out), []byte("}")))
		out = slices.Concat(open, []byte(",\n  \"history\": "), bytes.TrimRight(line, "\n"), []byte("\n}\n"))
	}
	_, err = w.Write(out)
	return err
}

func compact(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return b.Bytes(), err
}

// errNoSchema is that of a document that does not say that it is a report.
var errNoSchema = fmt.Errorf("its schema is not %s", finding.Schema)

// ReadJSON reads a document that JSON or Whole wrote. Fields that this version does not know are ignored, as the
// schema's rule of versions wants; a document of another schema, a broken one, or text after it is an error.
func ReadJSON(r io.Reader) (*finding.Run, error) {
	var run finding.Run
	d := document{Run: &run}
	dec := json.NewDecoder(r)
	if err := dec.Decode(&d); err != nil {
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return nil, fmt.Errorf("findings end at byte %d, before the document is complete; hint: the run that "+
				"wrote them may have been killed", dec.InputOffset())
		}
		return nil, fmt.Errorf("findings are not a document of schema %s: byte %d: %w", finding.Schema,
			dec.InputOffset(), err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("data follows the document, at byte %d; hint: one file holds one run", dec.InputOffset())
	}
	if !strings.HasPrefix(run.Schema, "unknot.findings/") {
		return nil, errNoSchema
	}
	if err := run.Validate(); err != nil {
		return nil, fmt.Errorf("findings are not valid: %w", err)
	}
	for i, list := range d.Meanings[:min(len(d.Meanings), len(run.Findings))] {
		run.Findings[i].SetMeanings(list)
	}
	return normal(&run), nil
}

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
