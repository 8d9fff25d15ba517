package stage

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// File is a file of this host that all hosts of a job need.
type File struct {
	Path string
	Name string // what it is called where it is staged
	sum  string
	size int64
}

// Unknot is the name of the file that is unknot itself.
const Unknot = "unknot"

// place is where a host may have files: at their own paths, or staged in one of two directories.
type place int

const (
	asHere  place = iota
	inCache       // under the user's cache directory
	inTmp         // under /tmp
	places
)

// words are the places in what the script says.
var words = [places]string{"path", "cache", "tmp"}

// Seen is what a host has.
type Seen struct {
	Host  string
	Err   error  // why it could not be asked
	Other string // what the unknot there says of itself that is at the path of this one and differs
	have  [places]map[int]bool
	other map[int]bool // is there another file at a path
	can   bool         // use the cache directory
}

// Has says whether the host has a file, by its number, at its path.
func (s *Seen) Has(file int) bool { return s.have[asHere][file] }

// HasOther says whether it has another file at that path.
func (s *Seen) HasOther(file int) bool { return s.other[file] }

// Staged is where it has the file staged; "" if nowhere.
func (s *Seen) Staged(d Directories, files []File, file int) string {
	for p := inCache; p < places; p++ {
		if s.have[p][file] {
			return d.path(p, files[file])
		}
	}
	return ""
}

//go:embed ask.sh
var askScript string

// patience is how long a host may take to answer.
const patience = 30 * time.Second

// Look asks hosts for files.
func (s Shell) Look(ctx context.Context, hosts []string, d Directories, files []File) []Seen {
	args := []string{d.Cache, d.Tmp}
	for _, f := range files {
		args = append(args, f.Path, f.sum, f.Name)
	}
	seen := make([]Seen, len(hosts))
	Each(hosts, func(i int, host string) {
		ctx, stop := context.WithTimeout(ctx, patience)
		defer stop()
		lines, err := s.Ask(ctx, host, mineScript+askScript, nil, args...)
		seen[i] = read(lines)
		seen[i].Host, seen[i].Err = host, err
	})
	return seen
}

func read(lines []string) Seen {
	s := Seen{other: make(map[int]bool)}
	for p := range s.have {
		s.have[p] = make(map[int]bool)
	}
	for _, line := range lines {
		word, rest, _ := strings.Cut(line, " ")
		number, text, _ := strings.Cut(rest, " ")
		n, _ := strconv.Atoi(number)
		switch word {
		case "can":
			s.can = true
		case "other":
			s.other[n] = true
			if text != "" {
				s.Other = text
			}
		default:
			for p, w := range words {
				if w == word {
					s.have[p][n] = true
				}
			}
		}
	}
	return s
}

// Version is that in what an unknot says of itself: "unknot 1.0 (go1.24, linux/amd64)".
func Version(text string) string {
	if w := strings.Fields(text); len(w) > 1 && w[0] == Unknot {
		return w[1]
	}
	return "that does not say its version"
}

// Directories are where files may be staged. They are the same on all hosts, as LD_PRELOAD has one value for a whole
// job.
type Directories struct {
	Cache string // what this host has as the user's cache directory; "" if that cannot be used
	Tmp   string
}

// DirectoriesHere are those of this user.
func DirectoriesHere() Directories {
	d := Directories{Tmp: fmt.Sprintf("/tmp/unknot-%d", os.Getuid())}
	if cache, err := os.UserCacheDir(); err == nil && !strings.ContainsAny(cache, " :'!\n") {
		d.Cache = filepath.Clean(cache)
	}
	return d
}

// levels are the directories that lead to a file, each of which must be the user's alone.
func (d Directories) levels(p place, f File) []string {
	list := []string{d.Tmp}
	if p == inCache {
		list = []string{d.Cache, filepath.Join(d.Cache, "unknot"), filepath.Join(d.Cache, "unknot", "staged")}
	}
	const letters = 32 // of the hash
	return append(list, filepath.Join(list[len(list)-1], f.sum[:letters]))
}

func (d Directories) path(p place, f File) string {
	if p == asHere {
		return f.Path
	}
	levels := d.levels(p, f)
	return filepath.Join(levels[len(levels)-1], f.Name)
}

// Sum reads files of this host to know them by their hashes.
func Sum(files []File) ([]File, error) {
	var out []File
	for _, f := range files {
		from, err := os.Open(f.Path)
		if err != nil {
			return nil, err
		}
		h := sha256.New()
		f.size, err = io.Copy(h, from)
		from.Close()
		if err != nil {
			return nil, err
		}
		f.sum = hex.EncodeToString(h.Sum(nil))
		out = append(out, f)
	}
	return out, nil
}
