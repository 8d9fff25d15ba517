// Package datatype is the model of MPI datatypes (MPI-4.0, chapter 5): what a datatype is made of, so that signatures
// can be compared, the first differing element named, and the bytes that a buffer covers known.
//
// It takes in what a program said when it made a datatype (Predefined, Vector, Struct, …) and gives out sizes and
// bounds, the hash of a signature, differences with their places in words, and spans of bytes. It knows nothing of how
// calls are observed.
//
// A Type is an immutable tree in which nodes are shared: one of 10^9 blocks takes as much room as one of two. Nothing
// is ever expanded whole. Two views are kept of each node:
//
//   - its signature, as a polynomial hash that concatenates and repeats (signature.go). Where two signatures part is
//     found by bisection over hashes of prefixes (compare.go);
//   - its coverage, the set of bytes without their order, as runs that are repeated in several dimensions, with the
//     shortest stride innermost (cover.go). Whether two such sets meet is a question about a linear Diophantine
//     inequality where there is one dimension, and of few steps where strides are equal (meet.go).
package datatype
