package gen

import (
	"bytes"
	"fmt"
	"strings"

	"unknot/internal/vocab/mpi"
)

const trampolinePreamble = `// Generated from mpi.h: the Fortran entry points of a library whose Fortran layer calls the C functions.
//
// Runs: in each call of MPI from Fortran, on the thread that makes it, in programs that are not watched too.
//
// Never: touches an argument, or keeps a frame on the stack: the real function is jumped to, and returns to the program. It neither
// locks nor allocates; the first call of each function looks the real one up.
#include "process/process.h"

#if defined __x86_64__ || defined __aarch64__
`

// Trampolines writes a C file with those Fortran entry points of an MPI library that end in the C functions: each notes
// where the user called it, for the C wrapper's record, and jumps on. On machines for which there is no such code the
// record names the Fortran layer.
func Trampolines(protos []Proto, layer FortranLayer) []byte {
	var b bytes.Buffer
	var symbols []string
	for i := range protos {
		p := &protos[i]
		if !wrapped(p) {
			continue
		}
		lower := strings.ToLower(p.Name)
		if layer == CallsBoth {
			symbols = append(symbols, lower+"_f08ts_")
			continue
		}
		if base := mpi.Plain(lower); base != lower {
			symbols = append(symbols, base+"_f08_large_", base+"_f08ts_large_")
			continue
		}
		symbols = append(symbols, lower, lower+"_", lower+"__", strings.ToUpper(p.Name), lower+"_f08_", lower+"_f08ts_")
	}
	b.WriteString(trampolinePreamble)
	fmt.Fprintf(&b, "static const char *const names[] = {\n")
	for _, s := range symbols {
		fmt.Fprintf(&b, "    %q,\n", s)
	}
	b.WriteString(`};
static void *reals[sizeof names / sizeof *names];

// Called with all argument registers saved: Fortran passes addresses only, so there are no others.
__attribute__((used, visibility("hidden"))) void *uk_fortran_enter(unsigned i, void *ra, void **slot);
void *uk_fortran_enter(unsigned i, void *ra, void **slot)
{
    uk_fortran_note(ra, slot);
    void *f = __atomic_load_n(&reals[i], __ATOMIC_RELAXED);
    if (UK_UNLIKELY(!f)) {
        f = uk_real_fortran(names[i]);
        __atomic_store_n(&reals[i], f, __ATOMIC_RELAXED);
    }
    return f;
}

#if defined __x86_64__
__asm__(".text\n.p2align 4\nuk_fortran_jump:\n.cfi_startproc\n"
        "pushq %rdi\n.cfi_adjust_cfa_offset 8\npushq %rsi\n.cfi_adjust_cfa_offset 8\n"
        "pushq %rdx\n.cfi_adjust_cfa_offset 8\npushq %rcx\n.cfi_adjust_cfa_offset 8\n"
        "pushq %r8\n.cfi_adjust_cfa_offset 8\npushq %r9\n.cfi_adjust_cfa_offset 8\n"
        "subq $8, %rsp\n.cfi_adjust_cfa_offset 8\n"
        "movl %eax, %edi\nmovq 56(%rsp), %rsi\nleaq 56(%rsp), %rdx\ncall uk_fortran_enter\nmovq %rax, %r11\n"
        "addq $8, %rsp\n.cfi_adjust_cfa_offset -8\n"
        "popq %r9\n.cfi_adjust_cfa_offset -8\npopq %r8\n.cfi_adjust_cfa_offset -8\n"
        "popq %rcx\n.cfi_adjust_cfa_offset -8\npopq %rdx\n.cfi_adjust_cfa_offset -8\n"
        "popq %rsi\n.cfi_adjust_cfa_offset -8\npopq %rdi\n.cfi_adjust_cfa_offset -8\n"
        "jmp *%r11\n.cfi_endproc\n"
        ".macro uk_entry name index\n.globl \\name\n.type \\name, @function\n\\name:\n.cfi_startproc\n"
        "movl $\\index, %eax\njmp uk_fortran_jump\n.cfi_endproc\n.size \\name, . - \\name\n.endm\n");
#else
__asm__(".text\n.p2align 4\nuk_fortran_jump:\n.cfi_startproc\n"
        "stp x29, x30, [sp, #-80]!\n.cfi_def_cfa_offset 80\n.cfi_offset 29, -80\n.cfi_offset 30, -72\n"
        "mov x29, sp\nstp x0, x1, [sp, #16]\nstp x2, x3, [sp, #32]\nstp x4, x5, [sp, #48]\nstp x6, x7, [sp, #64]\n"
        "mov w0, w16\nmov x1, x30\nadd x2, sp, #80\nbl uk_fortran_enter\nmov x16, x0\n"
        "ldp x0, x1, [sp, #16]\nldp x2, x3, [sp, #32]\nldp x4, x5, [sp, #48]\nldp x6, x7, [sp, #64]\n"
        "ldp x29, x30, [sp], #80\n.cfi_def_cfa_offset 0\n.cfi_restore 29\n.cfi_restore 30\n"
        "br x16\n.cfi_endproc\n"
        ".macro uk_entry name index\n.globl \\name\n.type \\name, @function\n\\name:\n.cfi_startproc\n"
        "mov w16, #\\index\nb uk_fortran_jump\n.cfi_endproc\n.size \\name, . - \\name\n.endm\n");
#endif
__asm__(
`)
	for i, s := range symbols {
		fmt.Fprintf(&b, "    \"uk_entry %s %d\\n\"\n", s, i)
	}
	b.WriteString(");\n#endif\n")
	return b.Bytes()
}
