package explain

import (
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/mpi"
)

// Outside makes a finding of calls outside of MPI's life. Before MPI is initialised nobody knows the rank; of those
// that are known the lowest speaks for all.
func Outside(o *message.Outside) finding.Finding {
	f := finding.Finding{Code: o.Code, Severity: finding.Error, Standing: finding.Manifest, Ranks: []int{},
		Places: o.Places, Count: o.Count}
	for i := range o.Places {
		if r := o.Places[i].Rank; r >= 0 {
			f.Ranks = append(f.Ranks, r)
		}
	}
	who := finding.Wordf("A process")
	if len(f.Ranks) > 0 {
		who = finding.Wordf("Rank %d", f.Ranks[0])
	}
	switch o.When {
	case "again":
		f.Say(finding.Wordf("%s calls %s again: MPI is already initialised.", who, o.Function))
		f.Hint = "call MPI_Initialized first; a library should leave initialisation to the program"
	case "beside":
		f.Say(finding.Wordf("%s calls %s while another of its threads is in it.", who, o.Function))
	case "after":
		f.Say(finding.Wordf("%s calls %s after MPI_Finalize.", who, o.Function))
		f.Hint = "make the call before MPI_Finalize; in C++ an object of main must end its life before, in a " +
			"block around it"
		if o.Frees != mpi.NoObject {
			f.Hint = "it is freed, but only after MPI_Finalize: end the life of what holds it before, in C++ in a " +
				"block around it"
		}
		if o.Finalized.Where() != "" {
			f.Notes = append(f.Notes, finding.Remarkf("MPI was finalised by MPI_Finalize at %s", o.Finalized.Where()))
			f.Related = append(f.Related, o.Finalized)
		}
	default:
		f.Say(finding.Wordf("%s calls %s before MPI is initialised.", who, o.Function))
		f.Hint = "call MPI_Init first: constructors of global objects run before main"
	}
	return f
}
