package layout

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestHeadersCompile has gcc read both headers together, with the numbers that both sides must agree on.
func TestHeadersCompile(t *testing.T) {
	dir := t.TempDir()
	source := filepath.Join(dir, "all.c")
	for path, text := range map[string]string{
		"layout.h": ProgramHeader(), "upck_layout.h": CheckHeader(),
		"all.c": `#include <stdint.h>
#define shared /* as C has it */
#include "layout.h"
#include "upck_layout.h"
_Static_assert(UPCR_LAYOUT == UPCK_LAYOUT, "");
_Static_assert(UPCR_MARK == (UINT64_C(2) << 48 | 0x737469617763), "");
_Static_assert(UPCR_WAITS_MARK == 0 && UPCR_WAITS_STACK == 11 && UPCR_WAITS_WORDS == 64, "");
_Static_assert(UPCR_AT_BARRIER == 1 && UPCR_AT_END == 2 && UPCR_AT_LOCK == 3 && UPCR_AT_EXCHANGE == 4, "");
_Static_assert(UPCK_NO_ARGUMENTS == 1 && UPCK_NO_DEADLOCKS == 2 && UPCK_WARNING == 0 && UPCK_ERROR == 1, "");
_Static_assert(sizeof UPCK_FINDINGS_NAME == sizeof UPCR_FINDINGS_NAME && UPCK_C == 1 && UPCK_LD == 11, "");
`} {
		if err := os.WriteFile(filepath.Join(dir, path), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.Command("gcc", "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-fsyntax-only",
		source).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestAnotherVersionIsOneSentence(t *testing.T) {
	if err := CheckVersion(Version); err != nil {
		t.Error(err)
	}
	if err := CheckVersion(7); err == nil ||
		!strings.Contains(err.Error(), "layout 7 where this one reads layout 2; hint: ") {
		t.Error(err)
	}
	if err := CheckObject("a.upc", "2"); err != nil {
		t.Error(err)
	}
	for have, want := range map[string]string{"": "layout 1 where this one links layout 2; hint: ",
		"3": "layout 3 where"} {
		if err := CheckObject("a.upc", have); err == nil || !strings.Contains(err.Error(), want) ||
			!strings.HasPrefix(err.Error(), "a.upc: error: ") {
			t.Error(err)
		}
	}
}
