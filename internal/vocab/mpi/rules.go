package mpi

import (
	"fmt"
	"slices"
	"strings"

	"unknot/internal/vocab/op"
)

// rules make a Func of a row.
type rules struct {
	params  map[string][]rule
	classes map[string]Class
	modes   map[string]op.SendMode
	syncs   map[string]op.Sync
	traits  traits
}

// rule is a line of params.tsv.
type rule struct {
	kind    Kind
	role    Role
	object  Object
	lengths []string // names that the parameter with the length may have
	by      Extent
	members bool    // by is one of those that come from the communicator's members, as the function decides
	root    bool    // significant at the root only
	classes []Class // nil for all, unless there are functions
	names   []string
}

// holds says whether the rule is for a function.
func (u *rule) holds(f *Func) bool {
	return u.classes == nil && u.names == nil || slices.Contains(u.classes, f.Class) ||
		slices.Contains(u.names, Plain(f.Name))
}

// length reads the cell with the length of an array.
func (u *rule) length(cell string) error {
	cell, u.root = strings.CutPrefix(cell, "root:")
	form, of, _ := strings.Cut(cell, ":")
	switch form {
	case "-", "":
	case "@members":
		u.members = true
	case "@dims":
		u.by = ByDims
	case "@contents":
		u.by, u.lengths = ByContents, []string{"max_datatypes"}
	case "@last":
		u.by, u.lengths = ByLast, []string{of}
	case "@sum":
		u.by, u.lengths = BySum, []string{of}
	default:
		if form[0] == '@' {
			return fmt.Errorf("unknown length %q", cell)
		}
		u.lengths = strings.Split(form, "|")
	}
	return nil
}

func loadRules() (*rules, error) {
	rows, err := lines("params.tsv", 6)
	if err != nil {
		return nil, err
	}
	r := &rules{map[string][]rule{}, classNames(), modeNames(), syncNames(), traitNames()}
	kinds, roles := kindNames(), roleNames()
	for _, row := range rows {
		kind, known := kinds[row[1]]
		if !known {
			return nil, fmt.Errorf("params.tsv: %s: unknown kind %q", row[0], row[1])
		}
		role, known := roles[row[2]]
		if !known {
			return nil, fmt.Errorf("params.tsv: %s: unknown role %q", row[0], row[2])
		}
		object, known := objectOf(row[3])
		if !known {
			return nil, fmt.Errorf("params.tsv: %s: unknown object %q", row[0], row[3])
		}
		u := rule{kind: kind, role: role, object: object}
		if err := u.length(row[4]); err != nil {
			return nil, fmt.Errorf("params.tsv: %s: %w", row[0], err)
		}
		if row[5] != "-" {
			for name := range strings.SplitSeq(row[5], ",") {
				if strings.HasPrefix(name, "MPI_") {
					u.names = append(u.names, name)
					continue
				}
				class, known := r.classes[name]
				if !known {
					return nil, fmt.Errorf("params.tsv: %s: unknown class %q", row[0], name)
				}
				u.classes = append(u.classes, class)
			}
		}
		r.params[row[0]] = append(r.params[row[0]], u)
	}
	return r, nil
}

// function makes the row without its id; large says that a form for large counts exists.
func (r *rules) function(row []string) (f Func, large bool, err error) {
	f.Name = row[0]
	var known bool
	if f.Class, known = r.classes[row[1]]; !known {
		return f, false, fmt.Errorf("unknown class %q", row[1])
	}
	f.Nonblocking, f.Persistent, f.Poll = classTraits(f.Class)
	f.Topology = NoTopology
	for word := range strings.FieldsSeq(row[2]) {
		mode, isMode := r.modes[word]
		sync, isSync := r.syncs[word]
		switch {
		case word == "-":
		case isMode:
			f.Mode = mode
		case isSync:
			f.Sync = sync
		case word == "nonblocking":
			f.Nonblocking = true
		case word == "persistent":
			f.Persistent = true
		case word == "large":
			large = true
		case word == "asks":
			f.Asks = true
		case word == "anytime":
			f.Anytime = true
		case !r.traits.take(&f, word):
			return f, false, fmt.Errorf("unknown attribute %q", word)
		}
	}
	if row[3] == "-" {
		return f, large, nil
	}
	written := strings.Fields(row[3])
	for _, w := range written {
		f.Params = append(f.Params, Param{Name: bare(w), Len: -1})
	}
	for i, w := range written {
		if err := r.param(&f, i, w); err != nil {
			return f, false, err
		}
	}
	f.Freed = f.freed()
	return f, large, nil
}

// param says what parameter i, written as in functions.tsv, is.
func (r *rules) param(f *Func, i int, written string) error {
	for _, u := range r.params[written] {
		if !u.holds(f) {
			continue
		}
		p := &f.Params[i]
		p.Kind, p.Role, p.Object, p.By, p.AtRoot = u.kind, u.role, u.object, u.by, u.root
		if u.members {
			p.By, p.AtRoot = members(f, p)
		}
		if u.lengths == nil {
			return nil
		}
		p.Len = slices.IndexFunc(f.Params, func(q Param) bool { return slices.Contains(u.lengths, q.Name) })
		// Of an input and an output length, the output one holds for an array of outputs.
		if out := slices.IndexFunc(f.Params, func(q Param) bool { return q.Name == "outcount" }); out >= 0 &&
			p.Kind == KOutStatuses {
			p.Len = out
		}
		if p.Len < 0 {
			return fmt.Errorf("%s has no length: none of %q is a parameter", written, u.lengths)
		}
		return nil
	}
	return nil
}

// members is how many elements a parameter of a collective with one for each member has, and whether it is significant
// at the root only (MPI-4.0, 6.5 to 6.10 and 8.6).
func members(f *Func, p *Param) (by Extent, atRoot bool) {
	switch name := strings.ToLower(f.Name); {
	case strings.Contains(name, "neighbor_") && (strings.HasPrefix(p.Name, "send") || p.Name == "sdispls"):
		return ByOut, false
	case strings.Contains(name, "neighbor_"):
		return ByIn, false
	case strings.Contains(name, "reduce_scatter"):
		return ByLocal, false
	}
	return ByMembers, slices.ContainsFunc(f.Params, func(q Param) bool { return q.Name == "root" })
}

// bare is a parameter's name without the marks for pointers and arrays.
func bare(written string) string {
	return strings.TrimSuffix(strings.TrimLeft(written, "*"), "[]")
}

// classTraits are what all functions of a class have in common.
func classTraits(c Class) (nonblocking, persistent, poll bool) {
	switch c {
	case Isend, Irecv, Isendrecv, Imrecv, Rrma, FileReq, FileIcoll, GreqStart, BufferIflush:
		nonblocking = true
	case SendInit, RecvInit, PsendInit, PrecvInit:
		persistent = true
	case Parrived, Iprobe, Improbe, Test, Testall, Testany, Testsome, GetStatus, GetStatusAll, GetStatusAny,
		GetStatusSome, WinTest:
		poll = true
	}
	return
}
