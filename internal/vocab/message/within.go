package message

// Within is what a thread does inside a call of MPI, where that does not return.
type Within struct {
	Process    string // a value of finding.Processes
	SystemCall string // that it is in, "" if in none
	On         string // what that is about, as of procstat.Activity
	In         string // the innermost function or module of the MPI library and below, "" if it is not known
	// Library is the name and version of the MPI library, and Device what it says of how it moves messages ("ch4:ucx").
	Library, Device string
	// Parts are the modules of the MPI library and of the network that the process has loaded ("mca_pml_ob1.so").
	Parts []string
	// Settings are the environment variables that choose among these ("OMPI_MCA_pml=ob1").
	Settings []string
}
