package ptrace

import "golang.org/x/sys/unix"

func (t *Thread) take(r *unix.PtraceRegs) {
	t.PC, t.SP = r.Rip, r.Rsp
	t.Registers = []uint64{r.Rax, r.Rdx, r.Rcx, r.Rbx, r.Rsi, r.Rdi, r.Rbp, r.Rsp,
		r.R8, r.R9, r.R10, r.R11, r.R12, r.R13, r.R14, r.R15}
}
