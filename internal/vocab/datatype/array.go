package datatype

import (
	"errors"
	"fmt"
)

// How a dimension of a distributed array is divided (MPI-4.0, 5.1.4). The numbers are this package's own.
const (
	DistributeNone   int64 = iota // MPI_DISTRIBUTE_NONE
	DistributeBlock               // MPI_DISTRIBUTE_BLOCK
	DistributeCyclic              // MPI_DISTRIBUTE_CYCLIC
)

// DefaultDarg stands for MPI_DISTRIBUTE_DFLT_DARG.
const DefaultDarg int64 = -1 << 63

// Subarray is MPI_Type_create_subarray (MPI-4.0, 5.1.3).
func Subarray(sizes, subsizes, starts []int64, fortran bool, old *Type) (*Type, error) {
	if old == nil {
		return nil, errOld
	}
	if len(sizes) == 0 {
		return nil, errors.New("ndims is 0, but an array has at least one dimension")
	}
	if len(subsizes) != len(sizes) || len(starts) != len(sizes) {
		return nil, fmt.Errorf("there are %d sizes, %d subsizes and %d starts", len(sizes), len(subsizes), len(starts))
	}
	axes := make([]axis, len(sizes))
	for i, size := range sizes {
		sub, start := subsizes[i], starts[i]
		switch {
		case size < 1:
			return nil, fmt.Errorf("array_of_sizes[%d] is %d, but must be at least 1", i, size)
		case sub < 1 || sub > size:
			return nil, fmt.Errorf("array_of_subsizes[%d] is %d, but must be between 1 and the size, %d", i, sub, size)
		case start < 0 || start > size-sub:
			return nil, fmt.Errorf("array_of_starts[%d] is %d, but must be between 0 and %d, as %d of %d are taken",
				i, start, size-sub, sub, size)
		}
		axes[i] = axis{n: sub, block: sub, index: start}
	}
	return section(sizes, axes, fortran, old)
}

// Darray is MPI_Type_create_darray (MPI-4.0, 5.1.4) for one rank of size. Distribs has DistributeNone and its like,
// dargs may be DefaultDarg.
func Darray(size, rank int64, gsizes, distribs, dargs, psizes []int64, fortran bool, old *Type) (*Type, error) {
	if old == nil {
		return nil, errOld
	}
	dims := len(gsizes)
	if dims == 0 {
		return nil, errors.New("ndims is 0, but an array has at least one dimension")
	}
	if len(distribs) != dims || len(dargs) != dims || len(psizes) != dims {
		return nil, fmt.Errorf("there are %d gsizes, %d distribs, %d dargs and %d psizes",
			dims, len(distribs), len(dargs), len(psizes))
	}
	if size < 1 {
		return nil, fmt.Errorf("size is %d, but must be at least 1", size)
	}
	if rank < 0 || rank >= size {
		return nil, fmt.Errorf("rank is %d, but must be between 0 and %d", rank, size-1)
	}
	processes := int64(1)
	for i, p := range psizes {
		if p < 1 {
			return nil, fmt.Errorf("array_of_psizes[%d] is %d, but must be at least 1", i, p)
		}
		processes = total(processes, p)
	}
	if processes != size {
		return nil, fmt.Errorf("the product of array_of_psizes is %d, but size is %d", processes, size)
	}
	axes := make([]axis, dims)
	for i := range gsizes {
		processes /= psizes[i]
		a, err := distributed(i, gsizes[i], distribs[i], dargs[i], psizes[i], rank/processes)
		if err != nil {
			return nil, err
		}
		axes[i] = a
		rank %= processes
	}
	return section(gsizes, axes, fortran, old)
}

// distributed gives the part of dimension i that the process at a coordinate has.
func distributed(i int, gsize, distrib, darg, psize, coordinate int64) (axis, error) {
	if gsize < 1 {
		return axis{}, fmt.Errorf("array_of_gsizes[%d] is %d, but must be at least 1", i, gsize)
	}
	block := darg
	switch {
	case distrib == DistributeNone && psize != 1:
		return axis{}, fmt.Errorf("array_of_psizes[%d] is %d, but must be 1, as that dimension is not distributed", i,
			psize)
	case distrib == DistributeNone:
		block = gsize
	case distrib == DistributeBlock && darg == DefaultDarg:
		block = ceilDiv(gsize, psize)
	case distrib == DistributeCyclic && darg == DefaultDarg:
		block = 1
	case distrib != DistributeBlock && distrib != DistributeCyclic:
		return axis{}, fmt.Errorf("array_of_distribs[%d] is not MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC or "+
			"MPI_DISTRIBUTE_NONE", i)
	case darg < 1:
		return axis{}, fmt.Errorf("array_of_dargs[%d] is %d, but must be at least 1", i, darg)
	}
	if distrib == DistributeBlock && total(block, psize) < gsize {
		return axis{}, fmt.Errorf("array_of_dargs[%d] is %d: %d blocks of that size do not hold the dimension's "+
			"%d elements",
			i, block, psize, gsize)
	}
	cycle := total(block, psize)
	first := total(coordinate, block)
	n := gsize / cycle * block
	n += min(max(gsize%cycle-first, 0), block)
	return axis{n: n, block: block, index: first, cycle: cycle}, nil
}

// section makes a type of a part of an array: axes say which places of each dimension belong to it. Its bounds are
// those of the whole array.
func section(sizes []int64, axes []axis, fortran bool, old *Type) (*Type, error) {
	f := array
	if fortran {
		f = arrayF
	}
	var e exact
	step, start := old.Extent(), int64(0)
	ordered := make([]axis, len(axes)) // outermost first
	for i := range axes {
		d := len(axes) - 1 - i
		if fortran {
			d = i
		}
		a := axes[d]
		a.step, a.jump = step, e.mul(a.cycle, step)
		if a.n > 0 {
			start = e.add(start, e.mul(a.index, step))
		}
		step = e.mul(step, sizes[d])
		ordered[len(axes)-1-i] = a
	}
	if e.far {
		return nil, errFar
	}
	t, err := copies(f, old, start, ordered...)
	if err != nil {
		return nil, err
	}
	t.lb, t.ub, t.marked = 0, step, true
	return t, nil
}
