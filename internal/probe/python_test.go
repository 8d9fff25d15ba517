package probe

import (
	"os/exec"
	"path/filepath"
	"testing"

	"unknot/internal/ring"
)

// A thread that receives while it holds Python's lock is served by one that gave the lock up before it came to send.
func TestTheProbeDoesNotWaitForPythonsLock(t *testing.T) {
	dir := t.TempDir()
	library, script := filepath.Join(dir, "extension.so"), filepath.Join(dir, "script.py")
	write(t, filepath.Join(dir, "extension.c"), `
#include <mpi.h>
#include <unistd.h>
void receive(void)
{
    int x;
    MPI_Recv(&x, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
void send_late(void)
{
    int x = 0;
    sleep(2);
    MPI_Send(&x, 1, MPI_INT, 0, 7, MPI_COMM_WORLD);
}
`)
	write(t, script, `import ctypes, sys, threading, time
from mpi4py import MPI
def hold():
    time.sleep(0.5)
    ctypes.PyDLL(sys.argv[1]).receive()
release = ctypes.CDLL(sys.argv[1]).send_late
thread = threading.Thread(target=hold)
thread.start()
release()
thread.join()
`)
	f := flavours[0]
	if out, err := exec.Command(f.mpicc, "-shared", "-fPIC", "-o", library, filepath.Join(dir, "extension.c")).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	j := f.launch(t, 512, 1, "/usr/bin/python3", script, library)
	if code := j.finish(t); code != 0 {
		t.Fatalf("exit status %d\n%s", code, j.out.String())
	}
	if sends := j.of(t, 0, ring.Enter, id("MPI_Send")); len(sends) != 1 {
		t.Errorf("%d sends are recorded, want 1", len(sends))
	}
}
