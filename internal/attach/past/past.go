// Package past makes a log of what the ranks of a job have recorded of their last calls, so that a program can be made
// which makes the same calls.
//
// A record has less than a trace. It says of the last calls of a rank with whom they were, by which tag and how many
// elements they had, but not of what type, which message a receive from any source took, or which requests a call has
// completed. It also has how many messages were exchanged in all, how many collective calls were made, and which
// requests are open. From these counts follows the number of each call from the end: the last send to a rank is the one
// of the number that counts them all, and so is the last receive there. A send and a receive of one number belong
// together.
//
// The log has what is sure to belong together: messages whose send and receive both are in the records, collectives
// that all members have who have entered them, and all that is open or under way. Whatever else was called is left
// out. As what is left out was complete, with all that it needed, the rest is a run that MPI allows.
package past

import (
	"errors"
	"fmt"
	"slices"

	"unknot/internal/attach/look"
	"unknot/internal/trace"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// job is the ranks of a job while their log is made.
type job struct {
	ranks   []*rank // by number
	comms   []*comm // in the order of the log
	sizes   sizes
	log     *trace.Log
	funcs   map[string]uint16
	sites   map[trace.Site]uint32
	guessed bool // which requests some call has completed
	chosen  bool // which message some receive took
}

// Log is what the ranks of one job, as they were seen on hosts, have recorded. The error is the end of a sentence that
// begins with the name of the file.
func Log(hosts []look.Host) (*trace.Log, error) {
	j := &job{funcs: make(map[string]uint16), sites: map[trace.Site]uint32{{}: 0}}
	if err := j.take(hosts); err != nil {
		return nil, err
	}
	j.log = &trace.Log{Sites: []trace.Site{{}}, Head: trace.Head{Ranks: len(j.ranks), Command: j.ranks[0].seen.Command,
		MPI: mpi.LibraryName(j.ranks[0].record.Library)}}
	j.communicators()
	for _, r := range j.ranks {
		j.read(r)
	}
	j.learn()
	j.number()
	j.keep()
	completed := j.plausible()
	for i, r := range j.ranks {
		j.write(r, completed[i])
	}
	for _, c := range j.comms {
		j.log.Comms = append(j.log.Comms, c.Comm)
	}
	j.log.Threads = trace.Ordered(j.log.Threads, len(j.ranks))
	j.log.Notes = j.notes()
	return j.log, nil
}

// take takes in the ranks, all of which must have a record of one thread.
func (j *job) take(hosts []look.Host) error {
	var all []*look.Rank
	size, recorded, calls := 0, 0, 0
	for i := range hosts {
		for k := range hosts[i].Ranks {
			r := &hosts[i].Ranks[k]
			all = append(all, r)
			size = max(size, r.Size, r.Rank.Rank+1)
			if r.Record != nil {
				recorded++
				calls += len(r.Record.Calls)
			}
		}
	}
	switch {
	case size == 0:
		return errors.New("has no ranks; hint: make another dump")
	case recorded == 0 && !slices.ContainsFunc(all, func(r *look.Rank) bool { return r.Recording }):
		return errors.New("has no calls, as its ranks were not recorded; hint: start the job with unknot record")
	case recorded > 0 && calls == 0:
		return errors.New("has no calls: its ranks have made none, or an older unknot has made it; hint: make another dump")
	}
	j.ranks = make([]*rank, size)
	for _, r := range all {
		switch {
		case r.Record == nil && r.Recording:
			return fmt.Errorf("has no calls of rank %d, which made some while it was looked at, or calls MPI in too many "+
				"threads; hint: make another dump when the job hangs", r.Rank.Rank)
		case r.Record == nil:
			return fmt.Errorf("has no calls of rank %d, which was not recorded; hint: start all ranks with unknot record",
				r.Rank.Rank)
		}
		one := &rank{seen: r, record: r.Record, number: op.Rank(r.Rank.Rank)}
		for i := range r.Record.Calls {
			if r.Record.Calls[i].Thread != r.Record.Calls[0].Thread {
				return fmt.Errorf("has a rank %d that calls MPI in more than one thread: such a program cannot be made",
					r.Rank.Rank)
			}
		}
		j.ranks[r.Rank.Rank] = one
	}
	if i := slices.Index(j.ranks, nil); i >= 0 {
		return fmt.Errorf("does not have rank %d of %d; hint: give the dumps of all hosts, made before a rank has ended", i,
			size)
	}
	return nil
}

// notes are what the reader of a program has to know.
func (j *job) notes() []string {
	list := []string{"They are of records of the ranks: calls whose partners are not in the records are left out."}
	if j.guessed {
		list = append(list, "Which requests a call has completed is not in a record. It is assumed where it has returned.")
	}
	if j.chosen {
		list = append(list, "Which messages receives from any source or with any tag took is not in a record. It is assumed.")
	}
	if j.sizes.assumed {
		list = append(list, "Of most calls a record has counts and no datatypes: sizes of messages are assumed.")
	}
	return list
}
