package datatype

import (
	"reflect"
	"testing"

	"pgregory.net/rapid"
)

// remade makes a type and all that it is made of again.
func remade(t *Type) (*Type, error) {
	if t == nil {
		return nil, nil
	}
	r := t.Recipe()
	var err error
	if r.Old, err = remade(r.Old); err != nil {
		return nil, err
	}
	types := r.Types
	r.Types = nil
	for _, u := range types {
		v, err := remade(u)
		if err != nil {
			return nil, err
		}
		r.Types = append(r.Types, v)
	}
	return Make(r)
}

func TestTypesAreMadeAgainFromTheirRecipes(t *testing.T) {
	for _, rules := range []Rules{Standard, OpenMPI, MPICH} {
		leaves := predefined(t, rules)
		rapid.Check(t, func(t *rapid.T) {
			d, u, _ := drawType(t, leaves, 500)
			again, err := remade(u)
			if err != nil {
				t.Fatalf("%s: %v", d, err)
			}
			if !reflect.DeepEqual(again.Recipe(), u.Recipe()) || again.size != u.size ||
				again.signature != u.signature ||
				again.trueLB != u.trueLB || again.trueUB != u.trueUB || !reflect.DeepEqual(again.cover, u.cover) ||
				again.uniform != u.uniform || again.packed != u.packed || again.align != u.align ||
				again.elements != u.elements || again.rules != u.rules {
				t.Fatalf("%s:\n got %+v\nwant %+v", d, again, u)
			}
		})
	}
}

func TestWhatNoTypeIsMadeFromIsRefused(t *testing.T) {
	int4, err := Predefined("MPI_INT", 4, 4, 4)
	if err != nil {
		t.Fatal(err)
	}
	for name, r := range map[string]Recipe{
		"no basic type":        {Form: uint8(leaf), Size: 4, Extent: 4, Align: 4},
		"size of a basic type": {Form: uint8(leaf), Basic: 1, Align: 4},
		"unknown form":         {Form: 77, Old: int4, Axes: []Axis{{N: 1, Block: 1}}},
		"copies of nothing":    {Form: uint8(row), Axes: []Axis{{N: 1, Block: 1}}},
		"blocks of no copy":    {Form: uint8(row), Old: int4, Axes: []Axis{{N: 1}}},
		"too far":              {Form: uint8(row), Old: int4, Axes: []Axis{{N: 1 << 62, Block: 1 << 62, Step: 4}}},
		"bounds too far":       {Form: uint8(row), Old: int4, Axes: []Axis{{N: 1, Block: 1}}, UB: 1 << 62},
		"lengths and places": {Form: uint8(blocks), Blocks: true, Old: int4, At: []int64{0},
			Lengths: []int64{1, 2}},
		"types and places": {Form: uint8(blocks), Blocks: true, At: []int64{0, 4},
			Types: []*Type{int4}, Each: 1},
		"a block of no type": {Form: uint8(blocks), Blocks: true, At: []int64{0}, Types: []*Type{nil}, Each: 1},
		"a pair of three": {Form: uint8(pair), Blocks: true, At: []int64{0, 4, 8},
			Types: []*Type{int4, int4, int4}, Each: 1},
		"an array made of a list": {Form: uint8(array), Blocks: true, Old: int4, At: []int64{0}, Each: 1},
	} {
		if made, err := Make(r); err == nil {
			t.Errorf("%s: made %+v", name, made)
		}
	}
}
