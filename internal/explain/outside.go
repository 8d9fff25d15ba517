package explain

import (
	"unknot/internal/finding"
	"unknot/internal/message"
)

// Outside makes a finding of calls outside of MPI's life. Before MPI is initialised nobody knows the rank; of those that are known the lowest
// speaks for all.
func Outside(o *message.Outside) finding.Finding {
	f := finding.Finding{Code: o.Code, Severity: finding.Error, Standing: finding.Manifest, Ranks: []int{}, Places: o.Places, Count: o.Count}
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
	case "beside":
		f.Say(finding.Wordf("%s calls %s while another of its threads is in it.", who, o.Function))
	case "after":
		f.Say(finding.Wordf("%s calls %s after MPI_Finalize.", who, o.Function))
	default:
		f.Say(finding.Wordf("%s calls %s before MPI is initialised.", who, o.Function))
	}
	return f
}
