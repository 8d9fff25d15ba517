package agent

import (
	"unknot/internal/finding"
	"unknot/internal/op"
)

// What the process tells its agents and the root goes no further, so it need not be plain data, and has boxes of its own.

// word is what the process tells an agent: a new ring or, without one, that the launcher has ended: what is left is to be read.
type word struct{ adopt *adoption }

// runEnd is what the process tells the root when the launcher has ended.
type runEnd struct {
	outside []finding.Finding // calls that ranks made outside of MPI's life
	freed   []op.Rank         // ranks that have freed info objects after MPI_Finalize
}
