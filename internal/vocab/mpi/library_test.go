package mpi

import "testing"

func TestALibraryIsNamedWithItsVersion(t *testing.T) {
	for text, want := range map[string]string{
		"Open MPI v4.1.4, package: Debian OpenMPI, ident: 4.1.4": "Open MPI 4.1.4",
		"Open MPI 5.0.0rc1, more":                                "Open MPI 5.0.0rc1",
		"MPICH Version:\t4.0.2\nMPICH Release date: Thu":         "MPICH 4.0.2",
		"\n  MPICH Version: 4.2a1\n":                             "MPICH 4.2a1",
		"Intel(R) MPI Library 2021.9\nmore":                      "Intel(R) MPI Library 2021.9",
		"the MPICH Version: 4":                                   "the MPICH Version: 4", "": "",
	} {
		if got := LibraryName(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestALibrarySaysHowItMovesMessages(t *testing.T) {
	for text, want := range map[string]string{
		"MPICH Version:\t4.0.2\nMPICH Device:\tch4:ucx\nMPICH configure:\t--x": "ch4:ucx",
		"Open MPI v4.1.4, package: Debian OpenMPI":                             "", "": "",
	} {
		if got := Device(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
