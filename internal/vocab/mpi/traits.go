package mpi

import (
	"slices"
	"strings"
)

// Topology is what a communicator knows of neighbours (MPI-4.0, 8.4).
type Topology uint8

// Topologies. As what a function makes, UnknownTopology stands for that of the old communicator.
const (
	UnknownTopology Topology = iota
	NoTopology
	Cartesian
	Graph
	DistGraph
)

// String is the topology as an adjective.
func (t Topology) String() string {
	return [...]string{"known", "any", "Cartesian", "graph", "distributed graph"}[t]
}

// Suits is which communicators a function may be called with (MPI-4.0, 6.2.3, 7.4 to 7.6, 8.5, 8.6, 11.8, 12.2, 14.2).
type Suits uint8

// What suits.
const (
	SuitsAny Suits = iota
	SuitsIntra
	SuitsInter
	SuitsNeighbours // one with any topology
	SuitsCartesian
	SuitsGraph
	SuitsDistGraph
)

// Topology is the one that suits, UnknownTopology if none is needed or any will do.
func (s Suits) Topology() Topology {
	switch s {
	case SuitsCartesian:
		return Cartesian
	case SuitsGraph:
		return Graph
	case SuitsDistGraph:
		return DistGraph
	}
	return UnknownTopology
}

// Caching is what a function does to an attribute of an object (MPI-4.0, 7.7).
type Caching uint8

// What is done to attributes.
const (
	NoAttribute Caching = iota
	SetsAttribute
	GetsAttribute
	DeletesAttribute
)

// Settles says which operations on a window are complete at the origin after a call (MPI-4.0, 12.5).
type Settles uint8

// What is complete.
const (
	SettlesNone   Settles = iota
	SettlesTarget         // those on one target
	SettlesAll
)

// Combiner is how a datatype is made (MPI-4.0, 5.1.13).
type Combiner uint8

// Combiners. That of a function which MPI-3.0 has removed is the one of its successor.
const (
	NoCombiner Combiner = iota
	CombinerContiguous
	CombinerVector
	CombinerHvector
	CombinerIndexed
	CombinerHindexed
	CombinerIndexedBlock
	CombinerHindexedBlock
	CombinerStruct
	CombinerSubarray
	CombinerDarray
	CombinerResized
	CombinerDup
	CombinerF90Real
	CombinerF90Complex
	CombinerF90Integer
)

// Fences says whether the call begins and ends epochs at all members of a window (MPI-4.0, 12.5.1).
func (f *Func) Fences() bool { return f.Class == WinColl && f.Settles != SettlesNone }

// Flushes says whether the call completes operations in an epoch that continues (MPI-4.0, 12.5.4).
func (f *Func) Flushes() bool {
	return f.Settles != SettlesNone && (f.Class == WinFlush || f.Class == Opaque)
}

// Fetches says whether an RMA call gives its rank something that is in a window.
func (f *Func) Fetches() bool { return f.fetches }

// traits notes of the functions what follows from their parameters and buffers.
func (t *T) traits() {
	for i := range t.Funcs() {
		f := &t.Funcs()[i]
		f.stores = f.Named("filename") >= 0 ||
			slices.ContainsFunc(f.Params, func(p Param) bool { return p.Object == OWin || p.Object == OFile })
		f.fetches = (f.Class == Rma || f.Class == Rrma) && slices.ContainsFunc(f.Buffers(),
			func(b Buffer) bool { return b.Access != Reads })
	}
}

// F90 says that MPI chooses a datatype that is there by its precision (MPI-4.0, 19.1.5).
func (c Combiner) F90() bool {
	return c == CombinerF90Real || c == CombinerF90Complex || c == CombinerF90Integer
}

// Duplicates says whether the call makes a communicator of another one, with its topology and attributes (MPI-4.0,
// 7.4.2).
func (f *Func) Duplicates() bool { return f.Class == CommCreate && f.Topology == UnknownTopology }

// Predefines says that the datatypes which a function gives are never freed: MPI has them from the start (MPI-4.0,
// 19.1.5, 19.1.9).
func (f *Func) Predefines() bool {
	return f.Combiner.F90() || f.Name == "MPI_Type_match_size" || f.Name == "MPI_Type_get_value_index"
}

// traits are the attributes of functions that have a value: "makes:cartesian".
type traits struct {
	topologies map[string]Topology
	suits      map[string]Suits
	combiners  map[string]Combiner
	caching    map[string]Caching
	settles    map[string]Settles
}

func traitNames() traits {
	return traits{
		// That of the old communicator is not known.
		topologies: map[string]Topology{"cartesian": Cartesian, "graph": Graph, "dist-graph": DistGraph,
			"same": UnknownTopology},
		suits: map[string]Suits{"intra": SuitsIntra, "inter": SuitsInter, "neighbours": SuitsNeighbours,
			"cartesian": SuitsCartesian,
			"graph":     SuitsGraph, "dist-graph": SuitsDistGraph},
		combiners: map[string]Combiner{"contiguous": CombinerContiguous, "vector": CombinerVector,
			"hvector": CombinerHvector,
			"indexed": CombinerIndexed, "hindexed": CombinerHindexed, "indexed-block": CombinerIndexedBlock,
			"hindexed-block": CombinerHindexedBlock, "struct": CombinerStruct, "subarray": CombinerSubarray,
			"darray":  CombinerDarray,
			"resized": CombinerResized, "dup": CombinerDup, "f90-real": CombinerF90Real,
			"f90-complex": CombinerF90Complex,
			"f90-integer": CombinerF90Integer},
		caching: map[string]Caching{"set": SetsAttribute, "get": GetsAttribute, "delete": DeletesAttribute},
		settles: map[string]Settles{"target": SettlesTarget, "all": SettlesAll},
	}
}

// take gives a function what an attribute says of it; false if there is no such attribute.
func (t *traits) take(f *Func, attribute string) (known bool) {
	switch name, value, _ := strings.Cut(attribute, ":"); name {
	case "makes":
		f.Topology, known = t.topologies[value]
	case "on":
		f.Suits, known = t.suits[value]
	case "combiner":
		f.Combiner, known = t.combiners[value]
	case "attribute":
		f.Caching, known = t.caching[value]
	case "settles":
		f.Settles, known = t.settles[value]
	case "since":
		f.Since, known = value, true
	case "removed":
		f.Removed, known = value, true
	case "deprecated":
		f.Deprecated, known = value, true
	}
	return known
}
