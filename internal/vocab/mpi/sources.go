package mpi

import "embed"

// Sources is the package itself, tables and code: whoever keeps something that was made with it (package probe) knows
// by it when that is out of date.
//
//go:embed *.go *.tsv
var Sources embed.FS
