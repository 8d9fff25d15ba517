package finding

import (
	"bytes"
	"encoding/json"
)

// inSchema is a language as schema "unknot.findings/1" has it: a key for each but MPI.
type inSchema struct {
	UPC   bool `json:"upc,omitempty"`
	SHMEM bool `json:"shmem,omitempty"`
}

func schemaOf(l Language) inSchema { return inSchema{UPC: l == UPC, SHMEM: l == OpenSHMEM} }

func (s inSchema) language() Language {
	switch {
	case s.UPC:
		return UPC
	case s.SHMEM:
		return OpenSHMEM
	}
	return MPI
}

// bareFinding and bareRun are the records without these methods.
type (
	bareFinding Finding
	bareRun     Run
)

// MarshalJSON writes the language behind the fields that come first.
func (f Finding) MarshalJSON() ([]byte, error) {
	return encoded(struct {
		Code     Code     `json:"code"`
		Severity Severity `json:"severity"`
		Standing Standing `json:"standing"`
		inSchema
		*bareFinding
	}{f.Code, f.Severity, f.Standing, schemaOf(f.Language), (*bareFinding)(&f)})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (f *Finding) UnmarshalJSON(text []byte) error {
	var in inSchema
	err := json.Unmarshal(text, &struct {
		*inSchema
		*bareFinding
	}{&in, (*bareFinding)(f)})
	f.Language = in.language()
	return err
}

// MarshalJSON writes the language behind the fields that come first.
func (run Run) MarshalJSON() ([]byte, error) {
	return encoded(struct {
		Schema  string   `json:"schema"`
		Unknot  string   `json:"unknot"`
		Command []string `json:"command"`
		MPI     string   `json:"mpi"`
		inSchema
		*bareRun
	}{run.Schema, run.Unknot, run.Command, run.MPI, schemaOf(run.Language), (*bareRun)(&run)})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (run *Run) UnmarshalJSON(text []byte) error {
	var in inSchema
	err := json.Unmarshal(text, &struct {
		*inSchema
		*bareRun
	}{&in, (*bareRun)(run)})
	run.Language = in.language()
	return err
}

// encoded leaves it to the encoder around it whether HTML is escaped.
func encoded(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return b.Bytes(), err
}
