package mpiapi

import (
	"fmt"
	"slices"
	"strings"
)

// rules make a Func of a row.
type rules struct {
	params  map[string][]rule
	classes map[string]Class
	modes   map[string]Mode
	syncs   map[string]Sync
}

// rule is a line of params.tsv.
type rule struct {
	kind    Kind
	role    Role
	lengths []string // names that the parameter with the length may have
	classes []Class  // nil for all
}

func loadRules() (*rules, error) {
	rows, err := lines("params.tsv", 5)
	if err != nil {
		return nil, err
	}
	r := &rules{map[string][]rule{}, classNames(), modeNames(), syncNames()}
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
		u := rule{kind: kind, role: role}
		if row[3] != "-" {
			u.lengths = strings.Split(row[3], "|")
		}
		if row[4] != "-" {
			for name := range strings.SplitSeq(row[4], ",") {
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
		default:
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
	return f, large, nil
}

// param says what parameter i, written as in functions.tsv, is.
func (r *rules) param(f *Func, i int, written string) error {
	for _, u := range r.params[written] {
		if u.classes != nil && !slices.Contains(u.classes, f.Class) {
			continue
		}
		p := &f.Params[i]
		p.Kind, p.Role = u.kind, u.role
		if u.lengths == nil {
			return nil
		}
		p.Len = slices.IndexFunc(f.Params, func(q Param) bool { return slices.Contains(u.lengths, q.Name) })
		// Of an input and an output length, the output one holds for an array of outputs.
		if out := slices.IndexFunc(f.Params, func(q Param) bool { return q.Name == "outcount" }); out >= 0 && p.Kind == KOutStatuses {
			p.Len = out
		}
		if p.Len < 0 {
			return fmt.Errorf("%s has no length: none of %q is a parameter", written, u.lengths)
		}
		return nil
	}
	return nil
}

// bare is a parameter's name without the marks for pointers and arrays.
func bare(written string) string {
	return strings.TrimSuffix(strings.TrimLeft(written, "*"), "[]")
}

// classTraits are what all functions of a class have in common.
func classTraits(c Class) (nonblocking, persistent, poll bool) {
	switch c {
	case Isend, Irecv, Isendrecv, Imrecv, Rrma, FileReq, FileIcoll, GreqStart:
		nonblocking = true
	case SendInit, RecvInit, PsendInit, PrecvInit:
		persistent = true
	case Parrived, Iprobe, Improbe, Test, Testall, Testany, Testsome, GetStatus, WinTest:
		poll = true
	}
	return
}
