package explain

import "unknot/internal/vocab/finding"

// OtherLauncher is about processes that a launcher started together and of which each is alone. The launcher and the
// library are named by whose they are and their files.
func OtherLauncher(processes int, launcher, of, program, loaded, library, hint string) finding.Finding {
	f := finding.Finding{Code: finding.OtherLauncher, Severity: finding.Error, Standing: finding.Manifest, Count: 1,
		Ranks: []int{0}, Hint: hint}
	if launcher == "" {
		launcher = "The launcher"
	}
	sentence := "%s is a launcher of %s, but %s loaded %s (%s): %d processes, each rank 0 of 1."
	if of == loaded {
		sentence = "%s is a launcher of %s, but the library of %s, %s (%s), did not recognise it: %d processes, each " +
			"rank 0 of 1."
	}
	f.Say(finding.Wordf(sentence, launcher, of, program, loaded, library, processes))
	return f
}
