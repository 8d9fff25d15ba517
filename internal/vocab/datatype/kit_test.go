package datatype

import "testing"

// kit has the predefined types, and makes others whose arguments are right.
type kit struct {
	t      testing.TB
	leaves map[string]*Type
}

func newKit(t testing.TB) kit { return kit{t, predefined(t, Standard)} }

func (k kit) of(name string) *Type {
	if u, ok := k.leaves[name]; ok {
		return u
	}
	k.t.Fatalf("no layout of %s in the tests", name)
	return nil
}

func (k kit) must(u *Type, err error) *Type {
	k.t.Helper()
	if err != nil {
		k.t.Fatal(err)
	}
	return u
}
