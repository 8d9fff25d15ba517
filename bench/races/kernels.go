package main

// kernel is a program of bench/upc/programs. Barrier is the one of its upc_barriers, from 1, that is left out so that
// there are races; 0 if it has some, or none that can be made so.
type kernel struct {
	name, what string
	barrier    int
}

func kernels() []kernel {
	return []kernel{
		{"gups", "random updates", 0}, {"uts", "tree search", 2}, {"psearch", "tree search, work is stolen", 0},
		{"cg", "NAS CG", 2}, {"ep", "NAS EP", 2}, {"ft", "NAS FT", 1}, {"is", "NAS IS", 2}, {"mg", "NAS MG", 1},
		{"bt", "NAS BT", 2}, {"lu", "NAS LU", 2}, {"sp", "NAS SP", 2},
	}
}
