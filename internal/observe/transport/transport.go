// Package transport tells by the modules and the environment of a process how its MPI library moves messages.
package transport

import (
	"path/filepath"
	"slices"
	"strings"
)

// Runtime says whether a module is of the C library, which waits for whoever calls it.
func Runtime(module string) bool {
	return hasPrefix(module, "libc.so", "libc-", "libpthread", "ld-linux", "[vdso]", "librt")
}

// Parts are those of the modules of a process, by their names, that move messages.
func Parts(modules []string) (parts []string) {
	for _, path := range modules {
		if name := filepath.Base(path); moves(name) && !slices.Contains(parts, name) {
			parts = append(parts, name)
		}
	}
	return parts
}

// moves says whether a module moves messages.
func moves(module string) bool {
	return hasPrefix(module, "mca_pml_", "mca_mtl_", "mca_btl_", "libucp.", "libuct", "libfabric.", "libibverbs.",
		"libpsm2.", "libpsm_infinipath.", "libmlx", "libportals.", "libxpmem.", "libnccl.")
}

// Bounds of the settings that are reported.
const (
	mostSettings = 16
	longSetting  = 100
)

// Chosen are the environment variables that choose how messages are moved, sorted.
func Chosen(environment []string) (list []string) {
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
