// Package shmem says in words what was found in OpenSHMEM programs. Its types are what package judge knows of a wrong
// call, of a collective in which PEs differ, of a race, a deadlock or a death, as data; their method Finding makes the
// finding of it.
package shmem

import "unknot/internal/vocab/finding"

// manifest is a finding about what happened in the run.
func manifest(code finding.Code) finding.Finding {
	return finding.Finding{Code: code, Severity: finding.Error, Standing: finding.Manifest,
		Language: finding.OpenSHMEM, Count: 1}
}
