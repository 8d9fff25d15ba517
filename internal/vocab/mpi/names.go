// The names by which the tables call classes, kinds, roles, modes and synchronisation.

package mpi

import (
	"fmt"

	"unknot/internal/vocab/op"
)

//go:generate go tool -modfile=../../../tools/go.mod stringer -type=Class,Kind,Role -output=strings.go

// names gives the first n values of an enumeration by the names of their constants.
func names[T interface {
	~uint8
	fmt.Stringer
}](n int) map[string]T {
	m := make(map[string]T, n)
	for v := range T(n) {
		m[v.String()] = v
	}
	return m
}

func classNames() map[string]Class { return names[Class](len(_Class_index) - 1) }

func kindNames() map[string]Kind { return names[Kind](len(_Kind_index) - 1) }

func roleNames() map[string]Role { return names[Role](int(NumRoles)) }

// modeNames gives the modes that a row may name; without one a send is Standard.
func modeNames() map[string]op.SendMode {
	return map[string]op.SendMode{"synchronous": op.Synchronous, "buffered": op.Buffered, "ready": op.Ready}
}

// syncNames gives the synchronisation that a row may name.
func syncNames() map[string]op.Sync {
	return map[string]op.Sync{
		"all": op.SyncAll, "all-data": op.SyncAllData, "from-root": op.SyncFromRoot, "to-root": op.SyncToRoot,
		"lower": op.SyncLower,
	}
}
