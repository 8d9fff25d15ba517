// Package dump keeps what was seen of jobs in a file, so that it can be judged later and elsewhere.
//
// A file is a Dump in JSON, compressed by gzip. Functions of MPI are written by their names.
package dump

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"unknot/internal/attach/look"
	"unknot/internal/observe/record"
	"unknot/internal/vocab/mpi"
)

// Format is the name and version of the file. The version changes when what a field says does.
const Format = "unknot.dump/1"

// name is the part of Format before its version.
const name = "unknot.dump/"

// Dump is what was seen of jobs.
type Dump struct {
	Format  string
	Unknot  string // the version that has looked
	Start   string // RFC 3339, by the clock of the host that has asked the others
	Hosts   []look.Host
	Missing []Missing
}

// Missing is a host that could not be looked at.
type Missing struct {
	Host string
	Why  string // in words that follow the host's name
}

// Encode gives a dump as the content of a file.
func Encode(d *Dump) ([]byte, error) {
	out := *d
	out.Format, out.Hosts = Format, nil
	for _, h := range d.Hosts {
		h.Ranks = slices.Clone(h.Ranks)
		for i := range h.Ranks {
			h.Ranks[i].Record = withoutCode(h.Ranks[i].Record)
		}
		out.Hosts = append(out.Hosts, h)
	}
	var text bytes.Buffer
	to := gzip.NewWriter(&text)
	if err := json.NewEncoder(to).Encode(&out); err != nil {
		return nil, err
	}
	if err := to.Close(); err != nil {
		return nil, err
	}
	return text.Bytes(), nil
}

// withoutCode leaves out where code lies, as all that is there has its lines.
func withoutCode(r *record.Rank) *record.Rank {
	if r == nil {
		return nil
	}
	out := *r
	out.Modules = ""
	return &out
}

// Decode reads what Encode has given. The error is part of a sentence that begins with the file's name.
func Decode(text []byte, table *mpi.T) (*Dump, error) {
	from, err := gzip.NewReader(bytes.NewReader(text))
	if err != nil {
		return nil, errors.New("is not a dump of unknot; hint: `unknot dump FILE` writes one")
	}
	plain, err := io.ReadAll(from)
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return nil, errors.New("ends too early; hint: copy it again, or make another dump")
	case err != nil:
		return nil, fmt.Errorf("is damaged (%w); hint: copy it again, or make another dump", err)
	}
	var head struct{ Format string }
	if err := json.Unmarshal(plain, &head); err != nil || !strings.HasPrefix(head.Format, name) {
		return nil, errors.New("is compressed by gzip, but is not a dump of unknot; hint: `unknot dump FILE` writes one")
	}
	if head.Format != Format {
		return nil, fmt.Errorf("is of the format %s, and this unknot reads %s; hint: use the unknot that has written it",
			head.Format, Format)
	}
	d := new(Dump)
	if err := json.Unmarshal(plain, d); err != nil {
		return nil, fmt.Errorf("is damaged (%w); hint: make another dump", err)
	}
	intern(d, table)
	if err := d.check(); err != nil {
		return nil, fmt.Errorf("is damaged: %w; hint: make another dump", err)
	}
	return d, nil
}

// mostRanks bounds the numbers of ranks in a file, for which the judge takes memory.
const mostRanks = 1 << 24

// check says what cannot be in a dump.
func (d *Dump) check() error {
	for i := range d.Hosts {
		for k := range d.Hosts[i].Ranks {
			r := &d.Hosts[i].Ranks[k]
			if r.Rank.Rank < 0 || r.Rank.Rank >= mostRanks || r.Size < 0 || r.Size > mostRanks {
				return fmt.Errorf("it has rank %d of %d", r.Rank.Rank, r.Size)
			}
			for t := range r.Threads {
				if c := r.Threads[t].Call; c != nil && c.Function == nil {
					return fmt.Errorf("rank %d is in a call of no function", r.Rank.Rank)
				}
			}
		}
	}
	return nil
}

// Jobs are the names of the jobs of a dump, in their order on the hosts.
func (d *Dump) Jobs() (names []string) {
	for i := range d.Hosts {
		for k := range d.Hosts[i].Ranks {
			if job := d.Hosts[i].Ranks[k].Job; !slices.Contains(names, job) {
				names = append(names, job)
			}
		}
	}
	return names
}

// Of is what was seen of one job.
func (d *Dump) Of(job string) (hosts []look.Host) {
	for _, h := range d.Hosts {
		h.Ranks = slices.DeleteFunc(slices.Clone(h.Ranks), func(r look.Rank) bool { return r.Job != job })
		if len(h.Ranks) > 0 {
			hosts = append(hosts, h)
		}
	}
	return hosts
}
