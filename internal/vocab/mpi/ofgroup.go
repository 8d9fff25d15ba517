package mpi

// OfGroup says whether a function, which may be nil, makes a communicator of nothing but a group (MPI-4.0, 7.4.2).
func (f *Func) OfGroup() bool {
	return f != nil && f.Class == CommCreateGroup && f.EnterAt[RComm] < 0
}
