package objects

import (
	"slices"
	"strings"

	"unknot/internal/vocab/mpi"
)

// Limits are values that differ between MPI libraries, and some of the process.
type Limits struct {
	*Values
	TagUB int64 // 0 if it is not known
	Level int64 // the thread level that MPI provides, one of Single to Multiple
	// Required is the thread level that the program asked for, Init the call that initialised MPI; its Func is nil if
	// that is not known.
	Required int64
	Init     Made
}

// Values are those of MPI's constants; the ranks of one agent that use the same library have them in common.
type Values struct {
	AnySource, AnyTag, ProcNull, Root, Undefined int64
	Levels
	InPlace, Bottom, BufferAutomatic uint64
	LockExclusive, ErrTruncate       int64  // MPI_LOCK_EXCLUSIVE; MPI_ERR_TRUNCATE, 0 if it is not known
	World, Self                      uint64 // handles of MPI_COMM_WORLD and MPI_COMM_SELF
	BsendOverhead                    int64  // MPI_BSEND_OVERHEAD, in bytes
	StatusBytes                      int64  // the size of a status; 0 if it is not known
	Arrays                           Arrays
	Nulls                            [mpi.NumObjects]uint64 // handles such as MPI_COMM_NULL
	HasNull                          [mpi.NumObjects]bool
}

// Levels are those of thread support.
type Levels struct {
	// LevelKnown is false before the levels of thread support are known.
	Single, Funneled, Serialized, Multiple int64
	LevelKnown                             bool
}

// LevelName is the name of a thread level.
func (l *Limits) LevelName(level int64) string {
	switch level {
	case l.Single:
		return "MPI_THREAD_SINGLE"
	case l.Funneled:
		return "MPI_THREAD_FUNNELED"
	case l.Serialized:
		return "MPI_THREAD_SERIALIZED"
	case l.Multiple:
		return "MPI_THREAD_MULTIPLE"
	}
	return "a lower thread level than that needs"
}

// Arrays are MPI's constants for arrays in datatypes; they differ between libraries.
type Arrays struct {
	Fortran                     int64 // MPI_ORDER_FORTRAN
	None, Block, Cyclic, Choose int64 // MPI_DISTRIBUTE_NONE, _BLOCK, _CYCLIC and _DFLT_DARG
}

// SetConstants takes in the values of MPI's constants in the program's MPI library, in the order of the table: all bits
// set where the library lacks one, or has -1.
func (r *Rank) SetConstants(table *mpi.T, words []uint64) {
	if r.Same != nil && slices.Equal(r.Same.words, words) {
		r.Constants, r.folds, r.Limits.Values = r.Same.constants, r.Same.folds, r.Same.values
	} else {
		r.evaluate(table, words)
		if r.Same != nil {
			*r.Same = Known{slices.Clone(words), r.Constants, r.folds, r.Limits.Values}
		}
	}
	for i, c := range table.Constants() {
		// communicators are described with their members
		if !given(c, words, i) || c.Null || c.Object == mpi.NoObject || c.Object == mpi.OComm {
			continue
		}
		if v := words[i]; v != ^uint64(0) {
			r.Predefine(c.Object, v, c.Name)
		}
	}
}

// given says whether the library has a constant, as far as its word tells.
func given(c mpi.Constant, words []uint64, i int) bool {
	return i < len(words) && (words[i] != ^uint64(0) || c.Type == "int" || c.Name == "MPI_IN_PLACE") // -1 in MPICH
}

// evaluate makes the tables of a library from the words of its constants.
func (r *Rank) evaluate(table *mpi.T, words []uint64) {
	r.Constants, r.folds, r.Limits.Values = make(map[string]int64), make(map[uint64]uint64), new(Values)
	l := r.Limits.Values
	arrays := &l.Arrays
	fields := map[string]*int64{
		"MPI_ANY_SOURCE": &l.AnySource, "MPI_ANY_TAG": &l.AnyTag, "MPI_PROC_NULL": &l.ProcNull, "MPI_ROOT": &l.Root,
		"MPI_UNDEFINED": &l.Undefined, "MPI_BSEND_OVERHEAD": &l.BsendOverhead, "MPI_LOCK_EXCLUSIVE": &l.LockExclusive,
		"MPI_THREAD_SINGLE": &l.Single, "MPI_THREAD_FUNNELED": &l.Funneled, "MPI_THREAD_SERIALIZED": &l.Serialized,
		"MPI_THREAD_MULTIPLE": &l.Multiple,
		"MPI_ORDER_FORTRAN":   &arrays.Fortran, "MPI_DISTRIBUTE_NONE": &arrays.None,
		"MPI_DISTRIBUTE_BLOCK":  &arrays.Block,
		"MPI_DISTRIBUTE_CYCLIC": &arrays.Cyclic, "MPI_DISTRIBUTE_DFLT_DARG": &arrays.Choose,
	}
	handles := map[string]*uint64{"MPI_IN_PLACE": &l.InPlace, "MPI_BOTTOM": &l.Bottom,
		"MPI_BUFFER_AUTOMATIC": &l.BufferAutomatic, "MPI_COMM_WORLD": &l.World, "MPI_COMM_SELF": &l.Self}
	for i, c := range table.Constants() {
		if !given(c, words, i) {
			continue
		}
		v := words[i]
		if c.Type == "int" {
			r.Constants[c.Name] = int64(int32(v))
		}
		if field := fields[c.Name]; field != nil {
			*field = int64(int32(v))
		}
		if handle := handles[c.Name]; handle != nil {
			*handle = v
		}
		switch {
		case c.Type == "size":
			l.StatusBytes = int64(v)
		case c.Name == "MPI_THREAD_SINGLE":
			l.LevelKnown = true
		case c.Name == ErrTruncate:
			l.ErrTruncate = max(int64(int32(v)), 0)
		case c.Object == mpi.OOp:
			r.folds[v] = uint64(i) + 1
		}
		if c.Null && c.Object != mpi.NoObject {
			l.Nulls[c.Object], l.HasNull[c.Object] = v, true
		}
	}
}

// Known is what the ranks of one agent have in common, as they use the same MPI library.
type Known struct {
	words     []uint64 // the values of MPI's constants, from which the others follow
	constants map[string]int64
	folds     map[uint64]uint64
	values    *Values
}

// ErrTruncate is the class of the error that a message is longer than its receive (MPI-4.0, 3.2.4).
const ErrTruncate = "MPI_ERR_TRUNCATE"

// classBits are those of an error code of MPICH and libraries derived from it that have the class. Open MPI's codes are
// smaller.
const classBits = 0x7f

// ErrorClass names the class of the error code with which an MPI library has ended its process; "" if it is not known.
// Libraries give up with the code 1 whatever has happened.
func (r *Rank) ErrorClass(code int32) string {
	if code == 1 {
		return ""
	}
	for name, value := range r.Constants {
		if strings.HasPrefix(name, "MPI_ERR_") && value > 0 && value == int64(code)&classBits {
			return name
		}
	}
	return ""
}

// Fold identifies a reduction operator in the whole job: predefined ones by name; the program's own cannot be compared
// between ranks and count as equal.
func (r *Rank) Fold(handle uint64) uint64 { return r.folds[handle] }
