// Package handle names the predefined objects of MPI by their handles, from outside of the process that holds them.
// Those of Open MPI are addresses of variables of the library, those of MPICH numbers that its ABI fixes.
package handle

import (
	_ "embed"
	"strconv"
	"strings"

	"unknot/internal/kit/symbol"
	"unknot/internal/vocab/mpi"
)

//go:embed mpich.tsv
var mpich string

// Library is an MPI library, as far as handles and constants depend on it.
type Library struct {
	AnySource, ProcNull, AnyTag int64
	names                       map[uint64]string
	variable                    bool // handles are addresses of variables
}

// OpenMPI is Open MPI from 1.10 on.
func OpenMPI() *Library { return &Library{AnySource: -1, ProcNull: -2, AnyTag: -1, variable: true} }

// MPICH is each library that has the ABI of MPICH.
func MPICH() *Library {
	l := &Library{AnySource: -2, ProcNull: -1, AnyTag: -1, names: make(map[uint64]string)}
	for line := range strings.Lines(mpich) {
		name, value, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if n, err := strconv.ParseUint(value, 0, 32); ok && err == nil {
			l.names[n] = name
		}
	}
	return l
}

// Name is the constant that a handle of a process is, "" for any other.
func (l *Library) Name(table *mpi.T, d *symbol.Data, handle uint64) string {
	if !l.variable {
		return l.names[uint64(uint32(handle))]
	}
	v, ok := d.Variable(handle)
	if !ok || v.From != handle {
		return ""
	}
	name, ok := strings.CutPrefix(v.Name, "ompi_mpi_")
	if !ok {
		return ""
	}
	if full, odd := others()[name]; odd {
		return full
	}
	if c, is := table.Constant("MPI_" + strings.ToUpper(name)); is {
		return c.Name
	}
	return ""
}

// others are the variables of Open MPI that are not called as MPI's constants.
func others() map[string]string {
	return map[string]string{
		"dblprec": "MPI_DOUBLE_PRECISION", "cplex": "MPI_COMPLEX", "dblcplex": "MPI_DOUBLE_COMPLEX",
		"2dblprec": "MPI_2DOUBLE_PRECISION", "wchar": "MPI_WCHAR", "long_long": "MPI_LONG_LONG_INT",
		"long_long_int": "MPI_LONG_LONG_INT",
	}
}
