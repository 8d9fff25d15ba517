// Package script makes the records of a ring of text, a line for each call, for tests of what follows records:
//
//	1: MPI_Recv(buf 1 int 0 7 world) = 0 7 4
//
// is a call of rank 1 with what its Enter and its Exit record hold, in the order of the function's parameters. Without
// "=" it does not return; with "fails 15" it returns that error; with (…) it returns from the call of a line before.
// Arrays are written [1 2], groups {0 1} with the world ranks of their members, and a name that is no constant is a
// handle. A line without a number is of rank 0, one that begins with 0.1: of its second thread. A call is at the site
// of its line. "- Thread 1" is a Data record; "- comm dup 0 1" and "- inter both 0 1 | 2" are communicators.
package script

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"unknot/internal/observe/ring"
	"unknot/internal/test/testkit"
	"unknot/internal/vocab/mpi"
)

// Script is what was read so far.
type Script struct {
	Table *mpi.T
	Line  uint64 // the number of the last one

	names  map[string]uint64
	stamps map[string]uint32 // by rank
}

// New is one of which nothing was read yet.
func New(table *mpi.T) *Script {
	return &Script{Table: table, names: make(map[string]uint64), stamps: make(map[string]uint32)}
}

// constants are those of the made-up MPI library, by the names that scripts have for them.
var constants = map[string]string{"MPI_COMM_WORLD": "world", "MPI_COMM_SELF": "self", "MPI_COMM_NULL": "nocomm",
	"MPI_ANY_SOURCE": "any", "MPI_ANY_TAG": "anytag", "MPI_PROC_NULL": "nobody", "MPI_ROOT": "root",
	"MPI_UNDEFINED": "undefined", "MPI_REQUEST_NULL": "none", "MPI_MESSAGE_NO_PROC": "nomessage", "MPI_INT": "int",
	"MPI_DOUBLE": "double", "MPI_SUM": "sum", "MPI_MAX": "max", "MPI_IN_PLACE": "inplace", "MPI_LOCK_SHARED": "shared",
	"MPI_LOCK_EXCLUSIVE": "exclusive", "MPI_ERR_TRUNCATE": "truncate", "MPI_WIN_NULL": "nowin"}

var numbers = map[string]int64{"any": -2, "anytag": -3, "nobody": -1, "root": -4, "undefined": -32766, "shared": 234,
	"exclusive": 235, "truncate": 14, "inplace": -1000}

// Begin are the records that one of so many ranks begins with: the constants, the datatypes MPI_INT and MPI_DOUBLE,
// MPI_COMM_WORLD and MPI_COMM_SELF.
func (s *Script) Begin(rank, ranks int) []ring.Record {
	known := make(map[string]uint64)
	for constant, name := range constants {
		known[constant] = s.Word(name)
	}
	members := make([]uint64, ranks)
	for i := range members {
		members[i] = uint64(i)
	}
	data := func(id ring.DataID, words ...uint64) ring.Record {
		return ring.Record{Func: uint16(id), Kind: ring.Data, Words: words}
	}
	number := s.Word("int")
	return []ring.Record{data(ring.DataConst, testkit.Constants(s.Table, known)...),
		data(ring.DataType, number, 4, s.Word("double"), 8),
		data(ring.DataBasics, number, 4, 4, 4, s.Word("double"), 8, 8, 8),
		data(ring.DataComm, slices.Concat([]uint64{s.Word("world"), 0, uint64(ranks)}, members, []uint64{0})...),
		data(ring.DataComm, s.Word("self"), 0, 1, uint64(rank), 0)}
}

// Read makes records of a line, of a thread by its name: "0" or "0.1".
func (s *Script) Read(line string) (thread string, records []ring.Record, err error) {
	s.Line++
	thread = "0"
	if who, rest, ok := strings.Cut(line, ": "); ok {
		thread, line = who, rest
	}
	if rest, ok := strings.CutPrefix(line, "- "); ok {
		r, err := s.data(strings.Fields(rest))
		return thread, []ring.Record{r}, err
	}
	name, rest, _ := strings.Cut(line, "(")
	arguments, result, _ := strings.Cut(rest, ")")
	f := s.Table.ByName(name)
	if f == nil {
		return thread, nil, fmt.Errorf("%s: there is no %q", line, name)
	}
	rank, _, _ := strings.Cut(thread, ".")
	put := func(kind ring.Kind, site uint64, text string) {
		var words []uint64
		if site == 0 || kind == ring.Enter {
			words, err = s.Words(f, text, kind == ring.Enter)
		}
		s.stamps[rank]++
		records = append(records, ring.Record{Func: f.ID, Kind: kind, Stamp: s.stamps[rank], Site: site, Words: words})
	}
	if arguments != "…" {
		put(ring.Enter, s.Line, arguments)
	}
	if code, ok := strings.CutPrefix(strings.TrimSpace(result), "fails "); ok && err == nil {
		put(ring.Exit, s.Word(code), "")
	} else if _, given, ok := strings.Cut(result, "="); ok && err == nil {
		put(ring.Exit, 0, given)
	}
	return thread, records, err
}

// Words are those of an Enter or an Exit record: those parameters first that have a fixed number of them.
func (s *Script) Words(f *mpi.Func, text string, enter bool) ([]uint64, error) {
	var words, varying []uint64
	rest := strings.Fields(strings.NewReplacer("[", " [ ", "]", " ] ", "{", " { ", "}", " } ").Replace(text))
	wrong := fmt.Errorf("%s(%s): a parameter is missing", f.Name, text)
	take := func(n int) (list []uint64) {
		for ; n > 0 && len(rest) > 0; n-- {
			list, rest = append(list, s.Word(rest[0])), rest[1:]
		}
		if n > 0 {
			rest = []string{wrong.Error()}
		}
		return list
	}
	elements := func() []uint64 {
		end := slices.IndexFunc(rest, func(t string) bool { return t == "]" || t == "}" })
		if end < 1 {
			rest = []string{wrong.Error()}
			return nil
		}
		rest = rest[1:]
		list := take(end - 1)
		rest = rest[1:]
		return list
	}
	for i := range f.Params {
		p := &f.Params[i]
		if p.Kind == mpi.KSkip || p.Kind.AtEntry() != enter {
			continue
		}
		if len(rest) == 0 {
			return nil, wrong
		}
		switch p.Kind {
		case mpi.KGroup:
			list := elements()
			varying = slices.Concat(varying, []uint64{s.Word("group"), uint64(len(list))}, list)
		case mpi.KStr:
			varying = append(varying, Text(rest[0])...)
			rest = rest[1:]
		case mpi.KOutStatuses, mpi.KRanges:
			list := elements()
			varying = slices.Concat(varying, []uint64{uint64(len(list) / 3)}, list)
		case mpi.KOutStatus:
			words = append(words, take(3)...)
		case mpi.KOutType:
			words = append(words, take(2)...)
		default:
			if p.Kind.Varying() {
				list := elements()
				varying = slices.Concat(varying, []uint64{uint64(len(list))}, list)
			} else {
				words = append(words, take(1)...)
			}
		}
	}
	if len(rest) > 0 {
		return nil, fmt.Errorf("%s(%s): %q is too much", f.Name, text, rest)
	}
	return append(words, varying...), nil
}

// Text is a string as a probe writes it.
func Text(text string) []uint64 {
	words := []uint64{uint64(len(text))}
	for i := range len(text) {
		if i%8 == 0 {
			words = append(words, 0)
		}
		words[len(words)-1] |= uint64(text[i]) << (8 * (i % 8))
	}
	return words
}

// Word is the value of a number, a constant or a handle.
func (s *Script) Word(name string) uint64 {
	if n, err := strconv.ParseInt(name, 0, 64); err == nil {
		return uint64(n)
	}
	if n, ok := numbers[name]; ok {
		return uint64(n)
	}
	if s.names[name] == 0 {
		s.names[name] = 0x44000000 + uint64(len(s.names))
	}
	return s.names[name]
}

// Name is the name of a handle.
func (s *Script) Name(handle uint64) string {
	for name, h := range s.names {
		if h == handle {
			return name
		}
	}
	return fmt.Sprint(handle)
}

var records = map[string]ring.DataID{"comm": ring.DataComm, "inter": ring.DataComm, "Thread": ring.DataThread,
	"Join": ring.DataJoin, "Joined": ring.DataJoined, "ThreadEnd": ring.DataThreadEnd, "Forced": ring.DataForced,
	"Outcome": ring.DataOutcome, "Buffered": ring.DataBuffered, "Polled": ring.DataPolled, "Remade": ring.DataRemade,
	"Limits": ring.DataLimits, "Sessions": ring.DataSessions, "Error": ring.DataError,
	"Neighbours": ring.DataNeighbours, "Known": ring.DataKnown, "Again": ring.DataAgain, "Name": ring.DataName,
	"Null": ring.DataNull, "Stack": ring.DataStack, "Below": ring.DataBelow, "Memory": ring.DataMemory,
	"Freed": ring.DataFreed, "Changed": ring.DataChanged, "Touched": ring.DataTouched, "Shared": ring.DataShared,
	"Accessed": ring.DataAccessed, "External": ring.DataExternal, "Array": ring.DataArray, "Order": ring.DataOrder,
	"Unfollowed": ring.DataUnfollowed, "Reused": ring.DataReused}

// data makes a Data record of its name and its words: numbers, names of functions and handles, texts that begin with '.
// @5 is the site of the record, which else is that of its line.
func (s *Script) data(f []string) (ring.Record, error) {
	id, known := records[f[0]]
	if !known {
		return ring.Record{}, fmt.Errorf("there is no record %s", f[0])
	}
	r := ring.Record{Func: uint16(id), Kind: ring.Data, Site: s.Line}
	for _, name := range f[1:] {
		switch fn := s.Table.ByName(name); {
		case fn != nil:
			r.Words = append(r.Words, uint64(fn.ID))
		case strings.HasPrefix(name, "@"):
			r.Site = s.Word(name[1:])
		case strings.HasPrefix(name, "'"):
			r.Words = append(r.Words, Text(name[1:])...)
		case name != "|":
			r.Words = append(r.Words, s.Word(name))
		}
	}
	if id == ring.DataComm {
		local := slices.Index(append(f, "|"), "|") - 2
		members := r.Words[1:]
		r.Words = slices.Concat([]uint64{r.Words[0], map[bool]uint64{true: 1}[f[0] == "inter"], uint64(local)},
			members[:local], []uint64{uint64(len(members) - local)}, members[local:])
	}
	return r, nil
}
