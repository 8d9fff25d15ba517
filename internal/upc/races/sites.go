package races

import (
	"bufio"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sort"

	"unknot/internal/upc/layout"
)

// program is what is known of the program's text: its sites and shared objects.
type program struct {
	sites   map[uint32]layout.SiteText
	objects []layout.SiteText // by offset
}

// sitesOf is a file of sites in a session directory, "" if there is none; one of them is as good as the next.
func sitesOf(session string) string {
	names, _ := filepath.Glob(filepath.Join(session, layout.SitesPrefix+"*")) // the pattern is well-formed
	if len(names) == 0 {
		return ""
	}
	return names[0]
}

// readProgram reads a file of sites. Of one that is not there nothing is known.
func readProgram(path string) (*program, error) {
	p := &program{sites: make(map[uint32]layout.SiteText)}
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return p, nil
	}
	if err != nil {
		return p, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var s layout.SiteText
		if err := json.Unmarshal(lines.Bytes(), &s); err != nil {
			continue // the thread was killed while it wrote
		}
		if err := layout.CheckVersion(s.Layout); err != nil {
			return p, err
		}
		if s.Object != "" {
			p.objects = append(p.objects, s)
		} else {
			p.sites[s.Site] = s
		}
	}
	slices.SortFunc(p.objects, func(a, b layout.SiteText) int { return int(int64(a.Offset - b.Offset)) })
	return p, lines.Err()
}

// object is the static object that has a byte of each thread's segment, or nil.
func (p *program) object(offset uint64) *layout.SiteText {
	i := sort.Search(len(p.objects), func(i int) bool { return p.objects[i].Offset > offset }) - 1
	if i < 0 || offset >= p.objects[i].Offset+p.objects[i].Bytes {
		return nil
	}
	return &p.objects[i]
}
