package usage

import "unknot/internal/finding"

// Codes of calls outside of MPI's life. The probe tells of them in another way than of other calls, as there is no rank to
// watch then: package agent makes the findings.
const (
	OutsideMPI finding.Code = "outside-mpi"
	InitTwice  finding.Code = "init-twice"
)

func lifeCheckers() []Checker {
	return []Checker{{
		Name: "life", Family: LifeCycle, Watch: func(*Hooks) {},
		Codes: []finding.Doc{
			{
				Code: OutsideMPI, Title: "MPI is called before MPI_Init or after MPI_Finalize", Severity: finding.Error, Since: "0.2",
				Means: "Before MPI is initialised and after it is finalised only few functions may be called: MPI_Initialized, MPI_Finalized, MPI_Get_version, and those of info objects, errors, sessions and tools (MPI-4.0, 11.4.1). Another call ends the job in most MPI libraries.",
				Why:   "The constructor or destructor of a global object calls MPI; an object that holds a communicator or window lives longer than MPI_Finalize; a function registered with atexit uses MPI; or the order of two steps at the start was changed.",
				Fix:   "Call MPI_Init first of all in main, and free what holds MPI objects before MPI_Finalize, in C++ by a block of its own. A library asks MPI_Initialized and MPI_Finalized first.",
			},
			{
				Code: InitTwice, Title: "MPI is initialised twice", Severity: finding.Error, Since: "0.2",
				Means: "MPI_Init or MPI_Init_thread is called again by a process that has initialised MPI already. That may happen once only, also after MPI_Finalize (MPI-4.0, 11.2.1).",
				Why:   "A library initialises MPI and so does the program that uses it.",
				Fix:   "Ask MPI_Initialized first; in a library, leave the initialisation to the program.",
			},
		},
	}}
}
