package parts

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"unknot/internal/say/explain"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// Set are the parts of one job.
type Set struct {
	Parts    []*Part  // by process
	Root     *Part    // with the root's own word; nil if there is none
	Troubles []string // a sentence for each file that cannot be used
}

// Read reads the parts in a directory. It is an error if there is none that can be used.
func Read(dir string, table *mpi.T) (*Set, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*"+Suffix))
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(dir); err != nil {
		return nil, fmt.Errorf("%w; hint: give the directory that unknot has named when the root was lost", err)
	}
	set := new(Set)
	byJob := make(map[string][]*Part)
	files := make(map[*Part]string)
	for _, name := range names {
		text, err := os.ReadFile(name)
		var p *Part
		if err == nil {
			p, err = Decode(text, table)
		}
		if err != nil {
			set.Troubles = append(set.Troubles, fmt.Sprintf("%s %v", name, err))
			continue
		}
		files[p] = name
		byJob[p.Job] = append(byJob[p.Job], p)
	}
	var most []*Part
	for _, list := range byJob {
		if len(list) > len(most) || len(list) == len(most) && list[0].Job < most[0].Job {
			most = list
		}
	}
	if len(most) == 0 {
		if len(set.Troubles) > 0 {
			return nil, errors.New(set.Troubles[0])
		}
		return nil, fmt.Errorf("%s holds no part that an agent has left (*%s); hint: give the directory that unknot "+
			"has named when the root was lost", dir, Suffix)
	}
	for p, name := range files {
		if p.Job != most[0].Job {
			set.Troubles = append(set.Troubles, fmt.Sprintf("%s is of another job, %s, and not of %s", name, p.Job,
				most[0].Job))
		}
	}
	slices.Sort(set.Troubles)
	for _, p := range most {
		if p.Said != "" {
			set.Root = p
		} else {
			set.Parts = append(set.Parts, p)
		}
	}
	slices.SortFunc(set.Parts, func(a, b *Part) int { return cmp.Compare(a.Process, b.Process) })
	return set, nil
}

// first is the part that speaks for what all have in common.
func (s *Set) first() *Part {
	if len(s.Parts) > 0 {
		return s.Parts[0]
	}
	return s.Root
}

// Head is what all parts have in common.
func (s *Set) Head() *Head { return &s.first().Head }

func (s *Set) shares() (list []*Share) {
	for _, p := range s.Parts {
		for i := range p.Shares {
			list = append(list, &p.Shares[i])
		}
	}
	return list
}

// hosts are those on which ranks were watched.
func (s *Set) hosts() (names []string) {
	for _, w := range s.first().Watch {
		if !slices.Contains(names, w.Host) {
			names = append(names, w.Host)
		}
	}
	return names
}

// Missing says whether some ranks have no part.
func (s *Set) Missing() bool { return s.Root == nil && len(s.missing()) > 0 }

// missing says of which ranks there is no part, host by host.
func (s *Set) missing() (list []string) {
	rest := make(map[op.Rank]bool)
	for r := range s.first().Size {
		rest[op.Rank(r)] = true
	}
	for _, share := range s.shares() {
		for r := range share.ranks().All() {
			delete(rest, r)
		}
	}
	of := func(ranks func(func(op.Rank) bool)) (found []op.Rank) {
		for r := range ranks {
			if rest[r] {
				delete(rest, r)
				found = append(found, r)
			}
		}
		return found
	}
	for _, w := range s.first().Watch {
		if ranks := of(w.Ranks.All()); len(ranks) > 0 {
			list = append(list, explain.PartMissing(ranks, w.Host))
		}
	}
	if ranks := of(op.Between(0, op.Rank(s.first().Size-1)).All()); len(ranks) > 0 {
		list = append(list, explain.NeverWatched(ranks))
	}
	return list
}

// notes are what there is to say of the parts, besides findings.
func (s *Set) notes() (list []string) {
	list = append(list, s.Troubles...)
	for _, p := range s.Parts {
		for _, n := range p.Notes {
			list = append(list, explain.OnHost(p.Host, n))
		}
	}
	for _, p := range s.Parts {
		list = append(list, explain.Observed(p.watched(), p.Host, p.Until, p.Whole))
	}
	return append(list, s.standings()...)
}

// watched are the ranks that a part is about.
func (p *Part) watched() []op.Rank {
	var all op.Ranks
	for i := range p.Shares {
		all = all.Union(p.Shares[i].ranks())
	}
	return all.List()
}

// atEnd makes of the error with which reading ends what is wrong with it.
func atEnd(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}
