package tape

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"

	"github.com/klauspost/compress/zstd"
)

// Archive keeps the tapes of many programs in one file, by name: they share the constants and datatypes of their MPI
// library, which compress well together.
type Archive map[string]*kept

// kept is a tape in an archive, which is read when it is asked for.
type kept struct{ text []byte }

// window is how far back what is compressed may refer.
const window = 8 << 20

// ReadArchive reads an archive; one that does not exist is empty.
func ReadArchive(path string) (Archive, error) {
	a := make(Archive)
	packed, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return a, nil
	}
	if err != nil {
		return nil, err
	}
	z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(window))
	if err != nil {
		return nil, err
	}
	defer z.Close()
	text, err := z.DecodeAll(packed, nil)
	if err != nil {
		return nil, fmt.Errorf("tapes %s: %w", path, err)
	}
	for len(text) > 0 {
		first, rest, _ := bytes.Cut(text, []byte{'\n'})
		var n named
		if err := json.Unmarshal(first, &n); err != nil || n.Bytes > len(rest) {
			return nil, fmt.Errorf("tapes %s: %q does not name a tape (%v)", path, first, err)
		}
		a[n.Name], text = &kept{rest[:n.Bytes]}, rest[n.Bytes:]
	}
	return a, nil
}

// named is the line before a tape in an archive.
type named struct {
	Name  string `json:"name"`
	Bytes int    `json:"bytes"`
}

// Get gives a tape.
func (a Archive) Get(name string) (*Tape, error) {
	k := a[name]
	if k == nil {
		return nil, fmt.Errorf("no tape of %s; hint: make record", name)
	}
	here, err := project()
	if err != nil {
		return nil, err
	}
	t, err := parse(placed(k.text, anywhere, here))
	if err != nil {
		return nil, fmt.Errorf("tape of %s: %w", name, err)
	}
	return t, nil
}

// Put puts a tape in, in the place of one of the same name.
func (a Archive) Put(name string, t *Tape) error {
	here, err := project()
	if err != nil {
		return err
	}
	t.Head.Project = here
	text, err := t.text()
	if err == nil {
		a[name] = &kept{placed(text, here, anywhere)}
	}
	return err
}

// Write writes the archive.
func (a Archive) Write(path string) error {
	var text []byte
	for _, name := range slices.Sorted(maps.Keys(a)) {
		head, err := json.Marshal(named{name, len(a[name].text)})
		if err != nil {
			return err
		}
		text = append(append(append(text, head...), '\n'), a[name].text...)
	}
	z, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithWindowSize(window))
	if err != nil {
		return err
	}
	defer z.Close()
	return os.WriteFile(path, z.EncodeAll(text, nil), 0o644)
}
