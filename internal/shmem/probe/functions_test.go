package probe

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"unknot/internal/observe/probe/gen"
	"unknot/internal/test/testkit"
)

// preprocessed is the shmem.h of this machine, for the compiler.
func preprocessed(t *testing.T) []byte {
	t.Helper()
	source := filepath.Join(t.TempDir(), "asked.c")
	if err := os.WriteFile(source, []byte(preamble), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("oshcc", "-E", source)
	text, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// passed are the functions that are not wrapped: they ask something, or do nothing on machines of today.
var passed = []string{
	"shmem_addr_accessible", "shmem_clear_cache_inv", "shmem_clear_cache_line_inv", "shmem_global_exit",
	"shmem_info_get_name", "shmem_info_get_version", "shmem_my_pe",
	"shmem_n_pes", "shmem_pe_accessible", "shmem_query_thread", "shmem_set_cache_inv", "shmem_set_cache_line_inv",
	"shmem_udcflush", "shmem_udcflush_line",
	"shmemx_alltoall_global_nb",
}

func TestEachFunctionOfTheHeaderIsKnown(t *testing.T) {
	testkit.NeedsMPI(t)
	found := 0
	var other []string
	for _, p := range gen.Declared(preprocessed(t)) {
		if !strings.HasPrefix(p.Name, "shmem") {
			continue
		}
		if _, ok := classify(p); ok {
			found++
		} else {
			other = append(other, p.Name)
		}
	}
	slices.Sort(other)
	if found < 800 || !slices.Equal(other, passed) {
		t.Errorf("%d functions are wrapped, not wrapped are %v", found, other)
	}
}

func TestNamesSayWhatAFunctionDoes(t *testing.T) {
	for name, want := range map[string]function{
		"shmem_long_put":                {verb: "put"},
		"shmem_ctx_longlong_put_nbi":    {verb: "put", context: true, nbi: true},
		"shmem_put32":                   {verb: "put", bits: 32},
		"shmem_ctx_iget128":             {verb: "iget", bits: 128, context: true},
		"shmem_getmem_nbi":              {verb: "getmem", nbi: true},
		"shmem_ptrdiff_g":               {verb: "g"},
		"shmem_ulong_atomic_fetch_xor":  {verb: "atomic_fetch_xor"},
		"shmemx_int32_atomic_and":       {verb: "atomic_and"},
		"shmem_int_cswap":               {verb: "cswap"},
		"shmem_complexd_prod_to_all":    {verb: "prod_to_all"},
		"shmem_fcollect64":              {verb: "fcollect", bits: 64},
		"shmem_alltoalls32":             {verb: "alltoalls", bits: 32},
		"shmem_wait":                    {verb: "wait"},
		"shmem_short_wait_until":        {verb: "wait_until"},
		"shmem_ctx_quiet":               {verb: "quiet", context: true},
		"shmem_barrier":                 {verb: "barrier"},
		"shmem_sync_all":                {verb: "sync_all"},
		"shmalloc":                      {verb: "malloc"},
		"shmemalign":                    {verb: "align"},
		"shmemx_malloc_with_hint":       {verb: "malloc"},
		"start_pes":                     {verb: "start_pes"},
		"shmem_ctx_create":              {verb: "create", context: true},
		"shmem_uint64_atomic_fetch_inc": {verb: "atomic_fetch_inc"},
	} {
		f, ok := classify(gen.Proto{Name: name})
		if !ok || f.verb != want.verb || f.bits != want.bits || f.context != want.context || f.nbi != want.nbi {
			t.Errorf("%s: %q, %d bits, context %v, nbi %v (%v)", name, f.verb, f.bits, f.context, f.nbi, ok)
		}
	}
}
