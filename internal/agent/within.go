package agent

import (
	"path/filepath"
	"slices"
	"strings"

	"unknot/internal/kit/procstat"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/mpi"
)

// within says what a thread does inside a call of MPI. Where it is in the library is read from outside while it waits in
// the kernel; of one that runs it is not known.
func (a *describer) within(t *thread, act procstat.Activity) *message.Within {
	r := t.rank
	w := &message.Within{Process: act.Process(), SystemCall: act.Call, On: act.On,
		Library: mpi.LibraryName(r.Library), Device: mpi.Device(r.Library)}
	if r.Maps == nil || act.State == 0 {
		return w
	}
	for _, pc := range a.suspended(t, act) {
		module, _ := r.Maps.Locate(pc)
		if ofProbe(module) {
			break // above it is the program
		}
		if module == "" || ofRuntime(filepath.Base(module)) {
			continue
		}
		frames := a.resolve.Frames(r.Maps, pc, true)
		w.In = filepath.Base(module)
		if f := frames[len(frames)-1]; f.Function != "" {
			w.In = f.Function + " in " + w.In
		}
		break
	}
	for _, path := range r.Maps.Modules() {
		if name := filepath.Base(path); ofTransport(name) && !slices.Contains(w.Parts, name) {
			w.Parts = append(w.Parts, name)
		}
	}
	w.Settings = chosen(r.processes.Environment(r.PID))
	return w
}

// ofRuntime says whether a module is of the C library, which waits for whoever calls it.
func ofRuntime(module string) bool {
	return hasPrefix(module, "libc.so", "libc-", "libpthread", "ld-linux", "[vdso]", "librt")
}

// ofTransport says whether a module moves messages.
func ofTransport(module string) bool {
	return hasPrefix(module, "mca_pml_", "mca_mtl_", "mca_btl_", "libucp.", "libuct", "libfabric.", "libibverbs.",
		"libpsm2.", "libpsm_infinipath.", "libmlx", "libportals.", "libxpmem.", "libnccl.")
}

// Bounds of the settings that are reported.
const (
	mostSettings = 16
	longSetting  = 100
)

// chosen are the environment variables that choose how messages are moved, sorted.
func chosen(environment []string) (list []string) {
	for _, e := range environment {
		if hasPrefix(e, "OMPI_MCA_pml", "OMPI_MCA_mtl", "OMPI_MCA_btl", "OMPI_MCA_coll", "OMPI_MCA_osc",
			"UCX_", "FI_", "MPIR_CVAR_", "I_MPI_", "PSM2_", "PSM3_", "MV2_") && len(e) <= longSetting {
			list = append(list, e)
		}
	}
	slices.Sort(list)
	return list[:min(len(list), mostSettings)]
}

func hasPrefix(s string, any ...string) bool {
	return slices.ContainsFunc(any, func(prefix string) bool { return strings.HasPrefix(s, prefix) })
}
