package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"unknot/internal/finding"
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
	Meanings [][]finding.Meaning `json:"meanings,omitempty"` // of each finding
}

func write(w io.Writer, d document) error {
	var compact, out bytes.Buffer
	enc := json.NewEncoder(&compact)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(d); err != nil {
		return err
	}
	if compact.Len() > maxIndented {
		_, err := w.Write(compact.Bytes())
		return err
	}
	if err := json.Indent(&out, compact.Bytes(), "", "  "); err != nil {
		return err
	}
	_, err := w.Write(out.Bytes())
	return err
}

// ReadJSON reads a document that JSON or Whole wrote. Fields that this version does not know are ignored, as the schema's rule of
// versions wants; a document of another schema, a broken one, or text after it is an error.
func ReadJSON(r io.Reader) (*finding.Run, error) {
	var run finding.Run
	d := document{Run: &run}
	dec := json.NewDecoder(r)
	if err := dec.Decode(&d); err != nil {
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return nil, fmt.Errorf("findings end at byte %d, before the document is complete; hint: the run that wrote them may have been killed", dec.InputOffset())
		}
		return nil, fmt.Errorf("findings are not a document of schema %s: byte %d: %w", finding.Schema, dec.InputOffset(), err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("data follows the document, at byte %d; hint: one file holds one run", dec.InputOffset())
	}
	if err := run.Validate(); err != nil {
		return nil, fmt.Errorf("findings are not valid: %w", err)
	}
	for i, list := range d.Meanings[:min(len(d.Meanings), len(run.Findings))] {
		run.Findings[i].SetMeanings(list)
	}
	return normal(&run), nil
}
