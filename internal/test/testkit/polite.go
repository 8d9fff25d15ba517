package testkit

import "os"

// politeVariable names a library (csrc/polite.c) that `make test` has built.
const politeVariable = "UNKNOT_POLITE"

// Polite is what a job of a test has in its environment so that its ranks give the processor away while they wait: the
// processors are fewer, and other tests need them. It is empty unless `make test` has set it.
func Polite() []string {
	if library := PoliteLibrary(); library != "" {
		return []string{"LD_PRELOAD=" + library}
	}
	return nil
}

// Gently is the environment of this process with Polite.
func Gently() []string { return append(os.Environ(), Polite()...) }

// PoliteLibrary is the library of Polite, "" if there is none.
func PoliteLibrary() string { return os.Getenv(politeVariable) }

// Swift are the settings of make test with which ranks start faster, for jobs that do not have the environment of the
// test. They are empty otherwise.
func Swift() (settings []string) {
	for _, name := range []string{"OMPI_MCA_pml", "HWLOC_COMPONENTS", "HWLOC_PLUGINS_PATH", "UCX_TLS"} {
		if value := os.Getenv(name); value != "" {
			settings = append(settings, name+"="+value)
		}
	}
	return settings
}
