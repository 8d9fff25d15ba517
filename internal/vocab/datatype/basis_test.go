package datatype

import "testing"

func TestTheBasisIsTheOnePredefinedTypeOfAll(t *testing.T) {
	k := newKit(t)
	number, other, twins := k.of("MPI_INT"), k.of("MPI_DOUBLE"), k.of("MPI_DOUBLE_INT")
	vector := k.must(Vector(3, 2, 4, number))
	structure := func(types ...*Type) *Type {
		lengths, at := make([]int64, len(types)), make([]int64, len(types))
		for i := range types {
			lengths[i], at[i] = 1, int64(i)*1000
		}
		return k.must(Struct(lengths, at, types))
	}
	nested := vector
	for range 40 { // 2^40 leaves, were each looked at
		nested = structure(nested, nested)
	}
	for name, c := range map[string]struct {
		of, want *Type
		known    bool
	}{
		"predefined":        {number, number, true},
		"a pair":            {twins, twins, true},
		"a vector":          {vector, number, true},
		"one in a struct":   {structure(number, vector, k.must(Dup(number))), number, true},
		"two in a struct":   {structure(vector, other), nil, true},
		"a pair and a half": {structure(twins, other), nil, true},
		"pairs in a struct": {structure(twins, k.must(Contiguous(3, twins))), twins, true},
		"nothing":           {k.must(Contiguous(0, number)), nil, true},
		"too many":          {nested, nil, false},
	} {
		got, known := c.of.Basis()
		if known != c.known || (got == nil) != (c.want == nil) || got != nil && !got.Same(c.want) {
			t.Errorf("%s: %v, %v; want %v, %v", name, got, known, c.want, c.known)
		}
	}
	if number.Same(other) || twins.Same(k.must(Contiguous(1, other))) {
		t.Error("different predefined types are the same")
	}
	if twins.Name() != "pairs of MPI_DOUBLE and MPI_INT" || number.Name() != "MPI_INT" {
		t.Errorf("names are %s and %s", twins.Name(), number.Name())
	}
}
