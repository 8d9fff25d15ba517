package explore

import (
	"fmt"
	"os"
	"path/filepath"

	"unknot/internal/trace"
	"unknot/internal/trace/file"
)

// courses are the runs whose calls are kept in files, for what is learned of them later: those that showed something
// new, and those that others were derived from.
type courses struct {
	dir         string
	synchronous bool    // sends complete when they are matched
	observed    *course // that of the run that nothing was forced on, which has number 0
}

func (c *courses) path(id int) string { return filepath.Join(c.dir, fmt.Sprintf("course%d.unk", id)) }

func (c *courses) keep(id int, l *trace.Log) error { return file.Write(c.path(id), l) }

func (c *courses) follow(l *trace.Log) *course { return follow(l, c.synchronous) }

func (c *courses) read(id int) (*course, error) {
	l, err := file.Read(c.path(id))
	if err != nil {
		return nil, err
	}
	return c.follow(l), nil
}

// of is the course of a run that was followed.
func (c *courses) of(id int) (*course, error) {
	if id == 0 {
		return c.observed, nil
	}
	return c.read(id)
}

// parted is the first call in which a run differs from the one that it was derived from; "" if there is none.
func (c *courses) parted(it *item, l *trace.Log) (string, error) {
	if l == nil {
		return "", nil
	}
	was, err := c.of(it.Parent)
	if err != nil {
		return "", err
	}
	if p := part(was.log, l); p != nil {
		return p.String(), nil
	}
	return "", nil
}

// forget removes those of runs that nothing can come of any more; the observed one stays for the stories of findings.
func (c *courses) forget(done map[int]*result) {
	for id := range done {
		if id != 0 {
			_ = os.Remove(c.path(id)) // not every run has one
		}
	}
}
