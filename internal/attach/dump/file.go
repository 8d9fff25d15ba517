package dump

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"unknot/internal/attach/look"
	"unknot/internal/vocab/mpi"
)

// Suffix is what names of dumps may end with; files with other names are known by how they begin.
const Suffix = ".dump"

// Is says whether a file is one for Read.
func Is(path string) bool {
	if strings.HasSuffix(path, Suffix) {
		return true
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	magic := []byte{0x1f, 0x8b} // of gzip (RFC 1952)
	head := make([]byte, len(magic))
	_, err = f.ReadAt(head, 0)
	return err == nil && bytes.Equal(head, magic)
}

// Write writes a dump to a file, which appears with all of its content.
func Write(path string, d *Dump) error {
	text, err := Encode(d)
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".dump-")
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	err = errors.Join(err, f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// Writable says early what would keep Write from writing a file.
func Writable(path string) error {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return fmt.Errorf("%s is a directory; hint: name a file", path)
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".dump-")
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// Read reads dumps of one job, of a host or several each, as one. A single one may have several jobs. The error names
// the file.
func Read(paths []string, table *mpi.T) (*Dump, error) {
	all := new(Dump)
	job := ""
	files := make(map[int]string) // by rank
	for i, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		d, err := Decode(text, table)
		if err != nil {
			return nil, fmt.Errorf("%s %w", path, err)
		}
		if len(paths) > 1 {
			jobs := d.Jobs()
			switch {
			case len(jobs) > 1:
				return nil, fmt.Errorf("%s has ranks of %d jobs (%s), and several files must be of one; hint: report on it "+
					"alone", path, len(jobs), strings.Join(jobs, ", "))
			case len(jobs) == 1 && job != "" && jobs[0] != job:
				return nil, fmt.Errorf("%s has ranks of job %s, and %s of job %s; hint: report on each job alone", path,
					jobs[0], paths[i-1], job)
			case len(jobs) == 1:
				job = jobs[0]
			}
		}
		if rank, other, twice := again(files, d.Hosts, path); twice {
			return nil, fmt.Errorf("rank %d is in both %s and %s; hint: give one dump of each host, all of one moment", rank,
				other, path)
		}
		if i == 0 {
			all.Format, all.Unknot, all.Start = d.Format, d.Unknot, d.Start
		}
		all.Hosts, all.Missing = append(all.Hosts, d.Hosts...), append(all.Missing, d.Missing...)
	}
	return all, nil
}

// again notes the ranks of a file. It gives one that another file has, too.
func again(files map[int]string, hosts []look.Host, path string) (rank int, other string, twice bool) {
	var own []int
	for i := range hosts {
		for k := range hosts[i].Ranks {
			n := hosts[i].Ranks[k].Rank.Rank
			if other, has := files[n]; has {
				return n, other, true
			}
			own = append(own, n)
		}
	}
	for _, n := range own {
		files[n] = path
	}
	return 0, "", false
}
