package objects

import (
	"unknot/internal/vocab/datatype"
	"unknot/internal/vocab/mpi"
)

// Basic takes in how a predefined datatype is laid out in the program's MPI library, with size, extent and alignment in
// bytes.
func (r *Rank) Basic(handle uint64, size, extent, align int64) {
	o := r.objects[mpi.OType][handle]
	if o == nil || !o.Predefined {
		return
	}
	r.Changes++
	o.Size = size
	o.Type = r.Basics.get(r.Rules, o.Name, size, extent, align)
}

// Basics are the models of predefined datatypes. Ranks that share them are compared faster.
type Basics map[basic]*datatype.Type

type basic struct {
	rules               datatype.Rules
	name                string
	size, extent, align int64
}

func (b *Basics) get(rules datatype.Rules, name string, size, extent, align int64) *datatype.Type {
	key := basic{rules, name, size, extent, align}
	t, known := (*b)[key]
	if !known {
		t, _ = rules.Predefined(name, size, extent, align) // nil for one that cannot be
		Set(b, key, t)
	}
	return t
}

// typeMade is the model of the datatype that a call has made (MPI-4.0, 5.1); nil if something about it is not known.
func typeMade(c *Call) *datatype.Type {
	m := maker{c: c}
	t, err := m.make(c.Func.Combiner)
	if err != nil || m.missing {
		return nil
	}
	return t
}

// maker reads the arguments of a call that makes a datatype.
type maker struct {
	c       *Call
	missing bool // something was not there
}

func (m *maker) values(name string) []uint64 {
	return m.c.Func.Values(name, m.c.Words, true)
}

func (m *maker) number(name string) int64 {
	v := m.values(name)
	if len(v) != 1 {
		m.missing = true
		return 0
	}
	return int64(v[0])
}

// numbers are the first n elements of an array.
func (m *maker) numbers(name string, n int64) []int64 {
	v := m.values(name)
	if int64(len(v)) != n {
		m.missing = true
		return nil
	}
	out := make([]int64, n)
	for i, w := range v {
		out[i] = int64(w)
	}
	return out
}

func (m *maker) known(handle uint64) *datatype.Type {
	if o := m.c.Rank.Object(mpi.OType, handle); o != nil && o.Type != nil {
		return o.Type
	}
	m.missing = true
	return nil
}

func (m *maker) old() *datatype.Type { return m.known(uint64(m.number("oldtype"))) }

func (m *maker) make(by mpi.Combiner) (*datatype.Type, error) {
	n := func() int64 { return m.number("count") }
	switch by {
	case mpi.CombinerContiguous:
		return datatype.Contiguous(n(), m.old())
	case mpi.CombinerVector:
		return datatype.Vector(n(), m.number("blocklength"), m.number("stride"), m.old())
	case mpi.CombinerHvector:
		return datatype.Hvector(n(), m.number("blocklength"), m.number("stride"), m.old())
	case mpi.CombinerIndexed:
		return datatype.Indexed(m.numbers("array_of_blocklengths", n()), m.numbers("array_of_displacements", n()),
			m.old())
	case mpi.CombinerHindexed:
		return datatype.Hindexed(m.numbers("array_of_blocklengths", n()), m.numbers("array_of_displacements", n()),
			m.old())
	case mpi.CombinerIndexedBlock:
		return datatype.IndexedBlock(m.number("blocklength"), m.numbers("array_of_displacements", n()), m.old())
	case mpi.CombinerHindexedBlock:
		return datatype.HindexedBlock(m.number("blocklength"), m.numbers("array_of_displacements", n()), m.old())
	case mpi.CombinerStruct:
		return m.structure(n())
	case mpi.CombinerSubarray:
		d := m.number("ndims")
		return datatype.Subarray(m.numbers("array_of_sizes", d), m.numbers("array_of_subsizes", d),
			m.numbers("array_of_starts", d), m.fortran(), m.old())
	case mpi.CombinerDarray:
		return m.distributed(m.number("ndims"))
	case mpi.CombinerResized:
		return datatype.Resized(m.old(), m.number("lb"), m.number("extent"))
	case mpi.CombinerDup:
		return datatype.Dup(m.old())
	case mpi.CombinerF90Real:
		return m.kind("MPI_REAL", 1)
	case mpi.CombinerF90Complex:
		return m.kind("MPI_COMPLEX", 2)
	case mpi.CombinerF90Integer:
		return m.kind("MPI_INTEGER", 1)
	}
	m.missing = true
	return nil, nil
}

func (m *maker) structure(n int64) (*datatype.Type, error) {
	handles := m.values("array_of_types")
	types := make([]*datatype.Type, 0, len(handles))
	for _, h := range handles {
		types = append(types, m.known(h))
	}
	if int64(len(types)) != n || m.missing {
		m.missing = true
		return nil, nil
	}
	return datatype.Struct(m.numbers("array_of_blocklengths", n), m.numbers("array_of_displacements", n), types)
}

func (m *maker) distributed(dims int64) (*datatype.Type, error) {
	k := &m.c.Rank.Limits.Arrays
	distribs, dargs := m.numbers("array_of_distribs", dims), m.numbers("array_of_dargs", dims)
	for i, v := range distribs {
		switch v {
		case k.None:
			distribs[i] = datatype.DistributeNone
		case k.Block:
			distribs[i] = datatype.DistributeBlock
		case k.Cyclic:
			distribs[i] = datatype.DistributeCyclic
		default:
			m.missing = true
		}
	}
	for i, v := range dargs {
		if v == k.Choose {
			dargs[i] = datatype.DefaultDarg
		}
	}
	return datatype.Darray(m.number("size"), m.number("rank"), m.numbers("array_of_gsizes", dims), distribs, dargs,
		m.numbers("array_of_psizes", dims), m.fortran(), m.old())
}

func (m *maker) fortran() bool { return m.number("order") == m.c.Rank.Limits.Arrays.Fortran }

// kind is a Fortran type that MPI chose by its precision (MPI-4.0, 19.1.5): the one of that name and size, of so many
// parts.
func (m *maker) kind(name string, parts int64) (*datatype.Type, error) {
	v := m.gave()
	if len(v) < 2 || int64(v[1]) <= 0 {
		m.missing = true
		return nil, nil
	}
	size := int64(v[1])
	names := map[int64]string{1: "1", 2: "2", 4: "4", 8: "8", 16: "16", 32: "32"}
	return m.c.Rank.Rules.Predefined(name+names[size], size, size, size/parts)
}

func (m *maker) gave() []uint64 { return m.c.Func.Values("newtype", m.c.Out, false) }

// modelType gives an object that a call has made its model, if that agrees with what the MPI library says of its size.
func modelType(c *Call, o *Object) {
	if o.Kind != mpi.OType || c.Func.Class != mpi.TypeMake {
		return
	}
	if m := c.Rank.Models.of(c); m.t != nil && m.t.Size() == o.Size {
		o.Type, o.Layout, o.likeness = m.t, &m.layout, m.likeness
	}
}
