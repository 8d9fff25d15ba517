package check

import (
	"strings"

	"unknot/internal/model/objects"
	"unknot/internal/vocab/mpi"
)

// Followed says whether all that happens to requests is known.
func (r *Rank) Followed() bool { return !r.Lost && r.Sure() }

// AnyThread says whether a function may be called by any thread at every level.
func AnyThread(f *mpi.Func) bool { return f.Anytime || f.Class == mpi.QueryThread }

// Text is what the Enter record has of a string.
func (c *Call) Text(i int) string {
	v := c.Array(i)
	if len(v) == 0 {
		return ""
	}
	b := make([]byte, 0, 8*len(v))
	for _, w := range v[1:] {
		for k := range 8 {
			b = append(b, byte(w>>(8*k)))
		}
	}
	return string(b[:min(int(min(v[0], uint64(len(b)))), len(b))])
}

// KeyText is a string parameter without the blanks around it, which Fortran has.
func KeyText(c *Call, i int) string { return strings.TrimSpace(mpi.Text(c.Array(i))) }

// Numbers is the group that a predefined datatype of the name is in, for which operators are defined; "" if it is in
// none.
func (c *Call) Numbers(name string) string {
	k, _ := c.watch.hooks.table.Constant(name)
	return k.Family
}

// Access modes that rule calls out.
const (
	ReadOnly   = "MPI_MODE_RDONLY"
	WriteOnly  = "MPI_MODE_WRONLY"
	Sequential = "MPI_MODE_SEQUENTIAL"
)

// Includes says whether a flag word has the bit of a constant.
func Includes(r *Rank, word int64, name string) bool {
	bit, known := r.Constant(name)
	return known && bit > 0 && word&bit != 0
}

// TypeOf is a datatype whose model is known, else nil.
func (r *Rank) TypeOf(handle uint64) *objects.Object {
	recent := &r.recent
	for _, o := range recent {
		if o != nil && o.Handle == handle {
			return o
		}
	}
	o := r.Object(mpi.OType, handle)
	if o == nil || o.Type == nil {
		return nil
	}
	recent[0], recent[1] = o, recent[0]
	return o
}
