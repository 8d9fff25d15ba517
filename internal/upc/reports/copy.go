package reports

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"unknot/internal/upc/layout"
)

// Copy is what the threads of one host have reported, for a reader on another.
type Copy struct {
	Findings []byte // whole lines, those that are new
	Threads  []Copied
}

// Copied is the file of a thread.
type Copied struct {
	PID   int
	Words []byte
	Maps  string        // its memory map; "" if that is as it was
	For   time.Duration // how long it had been seen where it is, by a Keeper
}

// Copier makes the copies of a session.
type Copier struct {
	session string
	read    int64          // of the file with findings
	maps    map[int]string // by process, as they were copied
}

// NewCopier copies what is in a session directory.
func NewCopier(session string) *Copier { return &Copier{session: session, maps: make(map[int]string)} }

// Any says whether there are threads of UPC.
func (c *Copier) Any() bool { return len(filesOf(c.session)) > 0 }

// Take copies what is there now.
func (c *Copier) Take() Copy {
	out := Copy{Findings: c.findings()}
	for _, name := range filesOf(c.session) {
		pid, err := strconv.Atoi(suffixOf(name))
		if err != nil {
			continue
		}
		words, err := os.ReadFile(name)
		if err != nil {
			continue
		}
		t := Copied{PID: pid, Words: words}
		if w, ok, _ := parse(words); ok && w.waiting() {
			// A process that is just ending has no memory any more.
			if maps, err := os.ReadFile(fmt.Sprintf("/proc/%d/maps", pid)); err == nil && len(maps) > 0 &&
				string(maps) != c.maps[pid] {
				t.Maps, c.maps[pid] = string(maps), string(maps)
			}
		}
		out.Threads = append(out.Threads, t)
	}
	return out
}

// findings are the lines that have come since the last copy. One that is still being written comes with the next.
func (c *Copier) findings() []byte {
	f, err := os.Open(filepath.Join(c.session, layout.FindingsName))
	if err != nil {
		return nil
	}
	defer f.Close()
	if _, err := f.Seek(c.read, io.SeekStart); err != nil {
		return nil
	}
	text, err := io.ReadAll(f)
	if err != nil {
		return nil
	}
	text = text[:bytes.LastIndexByte(text, '\n')+1]
	c.read += int64(len(text))
	return text
}

// Paste puts the copy of a host, which has a number above 0, into the session directory of the reader.
func (c *Copy) Paste(session, host string, number int) error {
	for _, t := range c.Threads {
		id := fmt.Sprintf("%d.%d", number, t.PID)
		if t.Maps != "" {
			if err := replace(filepath.Join(session, mapsPrefix+id), []byte(host+"\n"+t.Maps)); err != nil {
				return err
			}
		}
		if err := replace(filepath.Join(session, layout.WaitsPrefix+id), t.Words); err != nil {
			return err
		}
	}
	if len(c.Findings) == 0 {
		return nil
	}
	f, err := os.OpenFile(filepath.Join(session, layout.FindingsName), os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	_, err = f.Write(c.Findings)
	if closing := f.Close(); err == nil {
		err = closing
	}
	return err
}

// mapsPrefix begins the name of the file with the host and the memory map of a thread that was copied.
const mapsPrefix = "maps."

// roundsName is the file that says how often all hosts have been asked for copies, and have answered.
const roundsName = "rounds"

// Rounds says how often that is.
func Rounds(session string, n int) error {
	return replace(filepath.Join(session, roundsName), []byte(strconv.Itoa(n)))
}

// roundsOf is what Rounds has said; -1 if all threads are on this host.
func roundsOf(session string) int {
	text, err := os.ReadFile(filepath.Join(session, roundsName))
	if err != nil {
		return -1
	}
	n, err := strconv.Atoi(string(text))
	if err != nil {
		return -1
	}
	return n
}

// replace writes a file at once, for who reads it at any time.
func replace(name string, text []byte) error {
	next := filepath.Join(filepath.Dir(name), "next-"+filepath.Base(name))
	if err := os.WriteFile(next, text, 0o600); err != nil {
		return err
	}
	return os.Rename(next, name)
}

// filesOf are the files of the threads of a session.
func filesOf(session string) []string {
	names, _ := filepath.Glob(filepath.Join(session, layout.WaitsPrefix+"[0-9]*")) // the pattern is right
	return names
}

// suffixOf is what tells the file of a thread from those of others: its process, behind the number of its host if it
// was copied.
func suffixOf(name string) string { return strings.TrimPrefix(filepath.Base(name), layout.WaitsPrefix) }
