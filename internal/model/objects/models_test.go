package objects

import (
	"testing"

	"unknot/internal/vocab/datatype"
	"unknot/internal/vocab/mpi"
)

// TestEqualDatatypesShareAModel makes datatypes as programs do around each message: equal arguments give the same
// model, whatever the handles are, and any other argument, or another datatype under the old handle, gives another one.
func TestEqualDatatypesShareAModel(t *testing.T) {
	table, err := mpi.Load()
	if err != nil {
		t.Fatal(err)
	}
	r := NewRank(0)
	r.Models = make(Models)
	rules := datatype.MPICH
	basic := func(name string, size int64) *datatype.Type {
		b, err := rules.Predefined(name, size, size, size)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	double, float := basic("MPI_DOUBLE", 8), basic("MPI_FLOAT", 4)
	const first, second = 5, 6
	r.make(&Object{Kind: mpi.OType, Handle: first, Type: double})
	r.make(&Object{Kind: mpi.OType, Handle: second, Type: double})
	vector := func(count, length, stride, old uint64) *Object {
		c := &Call{Func: table.ByName("MPI_Type_vector"), Rank: r, Words: []uint64{count, length, stride, old, 0, 0}}
		o := &Object{Kind: mpi.OType, Size: int64(count*length) * r.Object(mpi.OType, old).Type.Size()}
		modelType(c, o)
		if o.Type == nil || o.Layout == nil || o.Type.Size() != o.Size {
			t.Fatalf("MPI_Type_vector(%d, %d, %d, %d) has no model", count, length, stride, old)
		}
		return o
	}
	a := vector(3, 2, 4, first)
	for _, same := range []*Object{vector(3, 2, 4, first), vector(3, 2, 4, second)} {
		if same.Type != a.Type || same.Layout != a.Layout {
			t.Error("two datatypes that are made in the same way have two models")
		}
	}
	structure := func(first, length, second, displacement uint64) *Object {
		c := &Call{Func: table.ByName("MPI_Type_create_struct"), Rank: r, Words: []uint64{2, 2, 1, length, 2, 0,
			displacement, 2, first, second}}
		o := &Object{Kind: mpi.OType, Size: r.Object(mpi.OType, first).Type.Size() + int64(length)*r.Object(mpi.OType,
			second).Type.Size()}
		modelType(c, o)
		if o.Type == nil {
			t.Fatalf("MPI_Type_create_struct of %d and %d of %d has no model", first, length, second)
		}
		return o
	}
	r.make(&Object{Kind: mpi.OType, Handle: 7, Type: float})
	if s := structure(first, 2, 7, 8); s.Type != structure(second, 2, 7, 8).Type || s.Type == structure(7, 2, first,
		8).Type || s.Type == structure(first, 3, 7, 8).Type || s.Type == structure(first, 2, 7, 16).Type {
		t.Error("structures have the same model if, and only if, they are made in the same way")
	}
	others := []*Object{vector(4, 2, 4, first), vector(3, 1, 4, first), vector(3, 2, 5, first)}
	r.free(mpi.OType, first, Made{}, 1)
	r.make(&Object{Kind: mpi.OType, Handle: first, Type: float})
	others = append(others, vector(3, 2, 4, first))
	for i, o := range others {
		if o.Type == a.Type {
			t.Errorf("datatype %d differs, and has the same model", i)
		}
		if want, err := datatype.Vector([]int64{4, 3, 3, 3}[i], []int64{2, 1, 2, 2}[i], []int64{4, 4, 5, 4}[i],
			[]*datatype.Type{double, double, double, float}[i]); err != nil || want.Extent() != o.Type.Extent() {
			t.Errorf("datatype %d has extent %d, want that of %v, %v", i, o.Type.Extent(), want, err)
		}
	}
	for n := range uint64(2 * mostModels) {
		vector(n+1, 1, 1, second)
	}
	if len(r.Models) > mostModels {
		t.Errorf("%d models are kept, want at most %d", len(r.Models), mostModels)
	}
}
