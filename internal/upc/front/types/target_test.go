package types

import (
	"testing"
)

// TestTargetsDiffer checks what the two processors' ABIs do differently: the sign of char, va_list, wchar_t, unnamed
// bit-fields, wide vectors.
func TestTargetsDiffer(t *testing.T) {
	const common = `_Static_assert(sizeof(long) == 8 && sizeof(long double) == 16 && _Alignof(__int128) == 16, "LP64");
struct unnamed { char c; int : 5; char d; };
typedef int wide __attribute__((vector_size(32)));
`
	sources := map[Target]string{
		X8664: common +
			`_Static_assert((char)-1 < 0, "char"); _Static_assert(sizeof(__builtin_va_list) == 24, "va_list");
_Static_assert((__typeof__(L'x'))-1 < 0, "wchar_t"); _Static_assert(sizeof(struct unnamed) == 3 && _Alignof(struct unnamed) == 1, "bits");
_Static_assert(_Alignof(wide) == 32, "vectors");`,
		AArch64: common +
			`_Static_assert((char)-1 > 0, "char"); _Static_assert(sizeof(__builtin_va_list) == 32, "va_list");
_Static_assert((__typeof__(L'x'))-1 > 0, "wchar_t"); _Static_assert(sizeof(struct unnamed) == 4 && _Alignof(struct unnamed) == 4, "bits");
_Static_assert(_Alignof(wide) == 16, "vectors");`,
	}
	for target, source := range sources {
		if told := diagnose(source, Config{Target: target}); told != "" {
			t.Errorf("target %d:\n%s", target, told)
		}
	}
}

// TestPointersToSharedOfOtherSizes lays out structs with pointers-to-shared of 16 bytes, should the run-time represent
// them so.
func TestPointersToSharedOfOtherSizes(t *testing.T) {
	const source = `struct s { char c; shared int *p; int *l; };
_Static_assert(sizeof(struct s) == 32 && sizeof(shared void *) == 16 && sizeof(void *) == 8, "");
_Static_assert(_Alignof(shared int *) == 8 && __builtin_offsetof(struct s, l) == 24 && sizeof(shared int *shared *) == 8 + 8, "");`
	if told := diagnose(source, Config{PointerSize: 16, PointerAlign: 8}); told != "" {
		t.Error(told)
	}
	const limits = "shared [9] int a[THREADS]; _Static_assert(UPC_MAX_BLOCK_SIZE == 8, \"\");"
	want := "1:9: error: the block size 9 is more than UPC_MAX_BLOCK_SIZE, which is 8 [COMP-14]\n"
	if told := diagnose(limits, Config{MaxBlock: 8}); told != want {
		t.Errorf("told %q, want %q", told, want)
	}
}
