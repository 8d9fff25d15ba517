// Package upc says in words what was found in UPC programs. Its types are what packages reports and races know of a
// deadlock, an error, a race or a meeting of threads, as data; their method Finding makes the finding of it. What a
// program's own checks say comes in their words.
package upc

import "unknot/internal/vocab/finding"

// manifest is a finding about what happened in the run.
func manifest(code finding.Code) finding.Finding {
	return finding.Finding{Code: code, Severity: finding.Error, Standing: finding.Manifest,
		Language: finding.UPC, Count: 1}
}
