package explain

import (
	"slices"
	"strings"
)

// remedy is a way for messages that may work where another does not, and the setting by which a job takes it.
type remedy struct{ way, setting string }

// hint says what to try first: what is not set already.
func (h *HeldUp) hint() string {
	const report = "report it to the library's developers, with a program that unknot reduce makes of a trace (unknot " +
		"run --trace) or of a recorded job (unknot dump)"
	w := h.within()
	var ways []string
	for _, r := range remedies(w.Library, w.Parts) {
		if r.setting == "" || !slices.Contains(w.Settings, r.setting) {
			ways = append(ways, r.way)
		}
	}
	if len(ways) == 0 {
		return report
	}
	return "run once more " + strings.Join(ways, ", then ") + "; if that helps, " + report
}

// remedies are those for a library and the parts of it that are loaded. Sources: Open MPI's FAQ on running jobs and on
// tuning shared memory, OpenUCX's FAQ, fi_provider(7), and MPICH's list of control variables.
func remedies(library string, loaded []string) []remedy {
	var parts []string
	for _, p := range loaded {
		parts = append(parts, partName(p))
	}
	has := func(name string) bool { return slices.Contains(parts, name) }
	overTCP := remedy{"with UCX over TCP alone (UCX_TLS=tcp,self)", "UCX_TLS=tcp,self"}
	switch {
	case strings.HasPrefix(library, "Open MPI") && has("pml ucx"):
		return []remedy{{"without UCX (mpirun --mca pml ob1)", "OMPI_MCA_pml=ob1"}, overTCP}
	case strings.HasPrefix(library, "Open MPI") && slices.ContainsFunc(parts, func(p string) bool {
		return strings.HasPrefix(p, "mtl ")
	}):
		return []remedy{{"with another path for messages (mpirun --mca pml ob1)", "OMPI_MCA_pml=ob1"},
			{"over TCP alone (--mca pml ob1 --mca btl tcp,self)", "OMPI_MCA_btl=tcp,self"}}
	case strings.HasPrefix(library, "Open MPI"):
		return []remedy{{"over TCP alone (mpirun --mca pml ob1 --mca btl tcp,self)", "OMPI_MCA_btl=tcp,self"},
			{"without single copies between processes (--mca btl_vader_single_copy_mechanism none)",
				"OMPI_MCA_btl_vader_single_copy_mechanism=none"}}
	case has("UCX"):
		return []remedy{overTCP, {"with its shared memory (UCX_TLS=sm,self)", "UCX_TLS=sm,self"}}
	case has("libfabric"):
		return []remedy{{"with another provider of libfabric (FI_PROVIDER=tcp)", "FI_PROVIDER=tcp"},
			{"without shared memory (MPIR_CVAR_NOLOCAL=1)", "MPIR_CVAR_NOLOCAL=1"}}
	}
	return []remedy{{way: "with another transport of the MPI library"}}
}
