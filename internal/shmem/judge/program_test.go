package judge

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unsafe"

	"unknot/internal/shmem/layout"
)

// told is a program that prints where it was called from, where its variable is, and how its memory is laid out.
const told = `#include <stdio.h>
static long x[10];
__attribute__((noinline)) static void *here(void) { return __builtin_return_address(0); }
int main(void)
{
	void *pc = here();
	int c;
	printf("%p %p %p\n", pc, (void *)&x[3], (void *)&c);
	FILE *maps = fopen("/proc/self/maps", "r");
	while ((c = getc(maps)) != EOF)
		putchar(c);
	return 0;
}
`

// TestPlacesAndVariablesAreThoseOfTheProgram has a real program, whose process is over by the end.
func TestPlacesAndVariablesAreThoseOfTheProgram(t *testing.T) {
	s := newScript(t, 2)
	dir := t.TempDir()
	source, binary := filepath.Join(dir, "told.c"), filepath.Join(dir, "told")
	if err := os.WriteFile(source, []byte(told), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("cc", "-g", "-o", binary, source).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	cmd := exec.Command(binary)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	first, memory, _ := strings.Cut(string(out), "\n")
	var pc, x, stack uint64
	if _, err := fmt.Sscanf(first, "0x%x 0x%x 0x%x", &pc, &x, &stack); err != nil {
		t.Fatal(err)
	}
	pid := cmd.ProcessState.Pid()
	if err := os.WriteFile(filepath.Join(s.session, fmt.Sprintf("%s%d", layout.MapsPrefix, pid)), []byte(memory),
		0o600); err != nil {
		t.Fatal(err)
	}
	s.table(layout.JobMark, layout.Site{Key: 1, PC: pc, PID: uint64(pid), Done: 1, Name: named("shmem_long_put")},
		layout.Site{Key: 2, PC: pc, PID: uint64(pid), Done: 1, Name: named("shmem_long_get")},
		layout.Site{Key: 3})
	for _, h := range s.streams {
		h.PID = uint64(pid)
	}
	base := uint64(0)
	if _, err := fmt.Sscanf(memory, "%x-", &base); err != nil { // the program comes first
		t.Fatal(err)
	}
	at := layout.StaticBase + uint64(hashOf("told"))<<layout.ModuleBits + x - base
	s.calls = []string{"shmem_long_put:1", "shmem_long_get:1"}
	s.put("shmem_long_put:1", 0, 1, at)
	s.get("shmem_long_get:1", 1, 1, at)
	s.record(0, layout.Record{Kind: layout.Wrong, Site: 1, Flags: uint8(layout.NotSymmetric), Offset: stack,
		Size: uint32(layout.ArgSource)})
	s.record(0, layout.Record{Kind: layout.Wrong, Site: 3, Flags: uint8(layout.BeforeInit)})
	found, notes := s.reader.Finish()
	want := []string{
		fmt.Sprintf("PE 0 passes shmem_long_put at told.c:6 the address %#x as source, which is not symmetric: it is "+
			"on the stack.", stack),
		"PE 0 calls a function of OpenSHMEM at an unknown place before shmem_init.",
		"Data race on `x[3]` of PE 1: PE 0 puts to it by shmem_long_put at told.c:6, and PE 1 reads it by " +
			"shmem_long_get at told.c:6, and nothing orders the two accesses.",
	}
	if len(found) != len(want) || len(notes) > 0 {
		t.Fatalf("got %+v, notes %q", found, notes)
	}
	for i := range want {
		if found[i].Sentence != want[i] {
			t.Errorf("got  %s\nwant %s", found[i].Sentence, want[i])
		}
	}
	if p := found[2].Places[0]; p.Call != "shmem_long_put" || p.Function != "main" || p.Rank != 0 {
		t.Errorf("place %+v", p)
	}
}

func named(name string) (n [layout.NameBytes]byte) {
	copy(n[:], name)
	return n
}

// table writes the file of the job.
func (s *script) table(mark uint64, sites ...layout.Site) {
	s.t.Helper()
	job := layout.Job{Mark: mark}
	copy(job.Sites[:], sites)
	text := unsafe.Slice((*byte)(unsafe.Pointer(&job)), unsafe.Sizeof(job))
	if err := os.WriteFile(filepath.Join(s.session, fmt.Sprintf("%s%x", layout.JobPrefix, jobNumber)), text,
		0o600); err != nil {
		s.t.Fatal(err)
	}
}

// TestAFileOfAnotherVersionIsNotRead has the file of the job be one.
func TestAFileOfAnotherVersionIsNotRead(t *testing.T) {
	for mark, want := range map[uint64]string{
		layout.JobMark + 1<<48: "shmem-job.2a: it was written by another version of unknot",
		7:                      "shmem-job.2a: it is no file of an OpenSHMEM job"} {
		s := newScript(t, 1)
		s.table(mark)
		s.read()
		if _, notes := s.reader.Finish(); len(notes) != 1 || !strings.HasSuffix(notes[0], want) {
			t.Errorf("got %q, want %s", notes, want)
		}
	}
}
