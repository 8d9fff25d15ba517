package callsite

import (
	"encoding/hex"
	"slices"
	"strings"
	"testing"
)

// read is code by its hexadecimal digits, with spaces between them.
func read(t *testing.T, digits string) []byte {
	t.Helper()
	code, err := hex.DecodeString(strings.ReplaceAll(digits, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return code
}

func TestRegistersThatFunctionsChange(t *testing.T) {
	const rax, rdx, rcx = 1 << 0, 1 << 1, 1 << 2
	functions := []Part{
		{0x1000, read(t, "01 3d fa 0f 00 00 c3")},                // add %edi,0xffa(%rip); ret
		{0x2000, read(t, "89 f9 e8 f9 ef ff ff 31 c0 c3")},       // mov %edi,%ecx; call 0x1000; xor %eax,%eax; ret
		{0x3000, read(t, "85 ff 74 07 89 fa e9 f5 ef ff ff c3")}, // test %edi,%edi; je 0x300b; mov %edi,%edx; jmp 0x2000; ret
		{0x4000, read(t, "e8 fb ff ff ff 31 d2 c3")},             // call 0x4000; xor %edx,%edx; ret
		{0x5000, read(t, "ff d0 c3")},                            // call *%rax; ret
		{0x6000, read(t, "e8 fb ef ff ff c3")},                   // call 0x5000; ret
		{0x7000, read(t, "0f 05 c3")},                            // syscall; ret
	}
	code := func(at uint64) (Part, bool) {
		i := slices.IndexFunc(functions, func(p Part) bool { return p.has(at) })
		if i < 0 {
			return Part{}, false
		}
		return functions[i], true
	}
	for at, want := range map[uint64]registers{
		0x1000: 0, 0x2000: rax | rcx, 0x3000: rax | rcx | rdx, 0x4000: rdx, 0x5000: every, 0x6000: every, 0x7000: every,
		0x9000: every,
	} {
		if got := newOthers(code).change(at); got|1<<stackPointer != want|1<<stackPointer {
			t.Errorf("the function at %#x changes %#x, want %#x", at, got, want)
		}
	}
}

func TestAnAddressOfTheStackIsNoFrame(t *testing.T) {
	for _, c := range []struct {
		code  string
		frame bool
	}{
		{"55 48 89 e5 e8 00 00 00 00 5d c3", true},                    // push %rbp; mov %rsp,%rbp; call; pop %rbp; ret
		{"55 48 89 e5 e8 00 00 00 00 c9 c3", true},                    // the same with leave
		{"55 48 8d 6c 24 50 48 8b 28 e8 00 00 00 00 5d c3", false},    // lea 0x50(%rsp),%rbp; mov (%rax),%rbp
		{"55 48 89 c5 48 89 6c 24 08 e8 00 00 00 00 5d c3", false},    // mov %rax,%rbp; mov %rbp,0x8(%rsp)
		{"48 8d 7c 24 08 48 89 7c 24 10 e8 00 00 00 00 31 ed", false}, // lea 0x8(%rsp),%rdi; xor %ebp,%ebp
	} {
		code := read(t, c.code)
		after := uint64(strings.Index(string(code), "\xe8\x00\x00\x00\x00") + 5)
		f := newFlow(&Site{Parts: []Part{{0x1000, code}}, Return: 0x1000 + after})
		if f == nil {
			t.Fatalf("%s cannot be read", c.code)
		}
		if f.framed != c.frame {
			t.Errorf("%s: rbp is the pointer of a frame: %v, want %v", c.code, f.framed, c.frame)
		}
	}
}
