package gen

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// undeclared are functions that make datatypes and that MPI-3.0 has removed (MPI-4.0, 17.1). Open MPI's mpi.h declares
// them no more, but its libraries have them still, and programs in Fortran, which need no declaration, call them. A
// probe that did not see what they make would take a new datatype for the freed one that had its handle before.
const undeclared = `
int MPI_Type_struct(int count, int array_of_blocklengths[], MPI_Aint array_of_displacements[], MPI_Datatype array_of_types[], MPI_Datatype *newtype);
int MPI_Type_hindexed(int count, int array_of_blocklengths[], MPI_Aint array_of_displacements[], MPI_Datatype oldtype, MPI_Datatype *newtype);
int MPI_Type_hvector(int count, int blocklength, MPI_Aint stride, MPI_Datatype oldtype, MPI_Datatype *newtype);
`

// withUndeclared adds those of these functions that are missing in what a header declares.
func withUndeclared(protos []Proto) []Proto {
	all := slices.Clone(protos)
	for _, p := range Declared([]byte(undeclared)) {
		if !slices.ContainsFunc(protos, func(q Proto) bool { return q.Name == p.Name }) {
			p.Undeclared = true
			all = append(all, p)
		}
	}
	return all
}

// kind is, in C, the type of the function. That of one that is not declared is written first.
func (p *Proto) kind(b *bytes.Buffer) string {
	if !p.Undeclared {
		return "__typeof__(" + p.Name + ")"
	}
	var params []string
	for i, a := range p.Params {
		params = append(params, a.Declare(arg(i)))
	}
	name := "uk_type_of_" + p.Name
	fmt.Fprintf(b, "\ntypedef %s %s(%s);", p.Return, name, strings.Join(params, ", "))
	return name
}
