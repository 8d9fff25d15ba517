package explore

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"unknot/internal/explore/known"
	"unknot/internal/trace"
	"unknot/internal/trace/file"
	"unknot/internal/vocab/plan"
)

// coursePath is where the calls of a run are kept, for what is learned of it later. That of the observed run is 0.
func (x *explorer) coursePath(id int) string {
	return filepath.Join(x.o.Dir, fmt.Sprintf("course%d.unk", id))
}

func (x *explorer) keepCourse(it *item, l *trace.Log) error {
	return file.Write(x.coursePath(it.ID), l)
}

func (x *explorer) readCourse(id int) (*course, error) {
	l, err := file.Read(x.coursePath(id))
	if err != nil {
		return nil, err
	}
	return follow(l, x.synchronous()), nil
}

// relearn takes in the runs again that were kept, in the order in which they were made.
func (x *explorer) relearn() error {
	if !x.searches() {
		return nil
	}
	for _, id := range x.state.order {
		l, err := file.Read(x.coursePath(id))
		if errors.Is(err, os.ErrNotExist) {
			continue // it showed nothing new
		}
		if err != nil {
			return fmt.Errorf("the exploration cannot be resumed: %w", err)
		}
		if x.learned.program == nil {
			x.learned.program = known.NewProgram(l.Head.Ranks, x.table)
		}
		x.learned.orders.take(l)
		x.learned.program.Learn(l, plan.Plan{})
	}
	return nil
}

// courseOf is the course of a run that was followed.
func (x *explorer) courseOf(id int) (*course, error) {
	if id == x.first.ID {
		return x.observed, nil
	}
	return x.readCourse(id)
}

// forgetCourses removes those that nothing can come of any more; the observed one stays for the stories of findings.
func (x *explorer) forgetCourses() {
	for id := range x.state.done {
		if id != 0 {
			_ = os.Remove(x.coursePath(id)) // not every run has one
		}
	}
}
