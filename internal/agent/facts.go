package agent

// facts are what a rank's process has said of its MPI library and its calls, beyond what following it needs.
type facts struct {
	limits limits
}

// limits are what the MPI library and the initialisation allow.
type limits struct {
	tagUB      int64
	required   int64 // thread level that the program asked for; MPI_THREAD_SINGLE for MPI_Init
	provided   int64
	predefined bool // the error handler of MPI_COMM_WORLD was a predefined one when MPI had been initialised
}

// nullArg is a null pointer that the next call passes where MPI reads or writes through it.
type nullArg struct {
	fn    uint16
	param int // index among the function's parameters
}

// mpiError is what the error code of the next exit means.
type mpiError struct {
	fn    uint16
	class int64
	text  string
}
