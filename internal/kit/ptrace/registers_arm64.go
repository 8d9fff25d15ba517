package ptrace

import "golang.org/x/sys/unix"

func (t *Thread) take(r *unix.PtraceRegs) {
	t.PC, t.SP = r.Pc, r.Sp
	t.Registers = append(r.Regs[:31:31], r.Sp)
}
