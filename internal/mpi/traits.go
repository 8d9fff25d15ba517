package mpi

import "strings"

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
		topologies: map[string]Topology{"cartesian": Cartesian, "graph": Graph, "dist-graph": DistGraph, "same": UnknownTopology},
		suits: map[string]Suits{"intra": SuitsIntra, "inter": SuitsInter, "neighbours": SuitsNeighbours, "cartesian": SuitsCartesian,
			"graph": SuitsGraph, "dist-graph": SuitsDistGraph},
		combiners: map[string]Combiner{"contiguous": CombinerContiguous, "vector": CombinerVector, "hvector": CombinerHvector,
			"indexed": CombinerIndexed, "hindexed": CombinerHindexed, "indexed-block": CombinerIndexedBlock,
			"hindexed-block": CombinerHindexedBlock, "struct": CombinerStruct, "subarray": CombinerSubarray, "darray": CombinerDarray,
			"resized": CombinerResized, "dup": CombinerDup, "f90-real": CombinerF90Real, "f90-complex": CombinerF90Complex,
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
	case "removed":
		f.Removed, known = value, true
	case "deprecated":
		f.Deprecated, known = value, true
	}
	return known
}
