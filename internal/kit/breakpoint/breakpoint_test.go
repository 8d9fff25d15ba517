package breakpoint_test

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"unknot/internal/kit/breakpoint"
)

const source = `#include <stdio.h>

__attribute__((noinline)) void here(int n) { __asm__ volatile("" : : "r"(n)); }

int main(void) {
  printf("%lx\n", (unsigned long)here);
  fflush(stdout);
  for (int n = 0, c; (c = getchar()) != EOF; n++)
    if (c == 'x') {
      here(n);
      puts("called");
      fflush(stdout);
    } else {
      puts("read");
      fflush(stdout);
    }
  return 0;
}
`

// TestCallsOfAFunctionAreCounted has a program call a function when it is asked to.
func TestCallsOfAFunctionAreCounted(t *testing.T) {
	dir := t.TempDir()
	file, program := filepath.Join(dir, "calls.c"), filepath.Join(dir, "calls")
	if err := os.WriteFile(file, []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("gcc", "-O1", "-Wall", "-Wextra", "-Werror", "-o", program, file).CombinedOutput(); err != nil {
		t.Fatalf("%s", out)
	}
	c := exec.Command(program)
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	pipe, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Process.Kill(); c.Wait() })
	out := bufio.NewReader(pipe)
	var at uint64
	if _, err := fmt.Fscanf(out, "%x\n", &at); err != nil {
		t.Fatal(err)
	}
	b, err := breakpoint.Open(c.Process.Pid, at)
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.ENOSYS) || errors.Is(err, syscall.ENOENT) {
		t.Skipf("this machine has no breakpoints for us: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	for i, step := range []struct {
		key  string
		want uint64
	}{{"-", 0}, {"x", 1}, {"-", 1}, {"x", 2}, {"x", 3}} {
		if _, err := in.Write([]byte(step.key)); err != nil {
			t.Fatal(err)
		}
		if _, err := out.ReadString('\n'); err != nil {
			t.Fatal(err)
		}
		if n, err := b.Executed(); err != nil || n != step.want {
			t.Fatalf("step %d: %d calls, %v; want %d", i, n, err, step.want)
		}
	}
}

// TestAThreadThatIsGoneHasNoBreakpoint asks for one of a process that has ended.
func TestAThreadThatIsGoneHasNoBreakpoint(t *testing.T) {
	c := exec.Command("true")
	if err := c.Run(); err != nil {
		t.Fatal(err)
	}
	if _, err := breakpoint.Open(c.Process.Pid, 0x1000); err == nil {
		t.Error("no error")
	}
}
