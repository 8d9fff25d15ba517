package main

// kernel is a program in both languages. Limit is the ratio that is promised, 0 for none.
type kernel struct {
	name, what string
	limit      float64
}

func kernels() []kernel {
	return []kernel{
		{"ep", "NAS EP: independent random numbers", 1.05},
		{"cg", "NAS CG: conjugate gradients", 1.25},
		{"is", "NAS IS: integer sort", 1.25},
		{"ft", "NAS FT: 3-D Fourier transforms", 1.25},
		{"mg", "NAS MG: multigrid", 1.25},
		{"bt", "NAS BT: block-tridiagonal systems in three directions", 1.25},
		{"lu", "NAS LU: over-relaxation in two pipelined sweeps", 1.25},
		{"sp", "NAS SP: pentadiagonal systems in three directions", 1.25},
		{"stream", "copy, scale, add, triad in upc_forall", 1.25},
		{"matmul", "matrix multiply", 1.25},
		{"uts", "unbalanced tree search", 1.25},
		{"gups", "random updates (MPI: batches and MPI_Alltoallv)", 1.25},
	}
}
