//go:build !quick

package probe

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"unknot/internal/observe/ring"
)

// A thread that receives while it holds Python's lock is served by one that gave the lock up before it sent.
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
	if out, err := exec.Command(f.mpicc, "-shared", "-fPIC", "-o", library,
		filepath.Join(dir, "extension.c")).CombinedOutput(); err != nil {
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

// Which array a buffer belongs to is known for as long as mpi4py holds the array's memory, and not of memory that a
// call gets in other ways.
func TestArraysOfPythonAreRecorded(t *testing.T) {
	script := filepath.Join(t.TempDir(), "script.py")
	write(t, script, `import ctypes
from mpi4py import MPI
import numpy as np
comm = MPI.COMM_WORLD
a = np.zeros(8, "i2")
comm.Sendrecv([a[2:], MPI.SHORT], 0, recvbuf=bytearray(12), source=0)
request = comm.Irecv([np.zeros(4, "c16"), MPI.DOUBLE_COMPLEX], source=0)
comm.Send(np.zeros(4, "c16"), 0)
request.Wait()
handle = lambda x: ctypes.c_void_p.from_address(MPI._addressof(x))
send = ctypes.CDLL(None).MPI_Send
send(ctypes.c_void_p(a.ctypes.data), 4, handle(MPI.SHORT), MPI.PROC_NULL, 0, handle(comm))
for i in range(20):
    comm.Allreduce(MPI.IN_PLACE, [a, 8 - i % 2, MPI.SHORT])
`)
	j := flavours[0].launch(t, 4096, 1, "/usr/bin/python3", script)
	if code := j.finish(t); code != 0 {
		t.Fatalf("exit status %d\n%s", code, j.out.String())
	}
	var got []string
	for _, x := range j.data(t, 0, ring.DataArray) {
		format, _ := x.text(6)
		got = append(got, fmt.Sprintf("%d %d %s %d of %d", x.Words[0], x.Words[1], format, x.Words[3]-x.Words[2],
			x.Words[5]-x.Words[4]))
	}
	want := []string{"0 1 h 12 of 16", "5 3 B 12 of 12", "0 1 Zd 64 of 64", "0 1 Zd 64 of 64"}
	for range 20 {
		want = append(want, "1 1 h 16 of 16")
	}
	if !slices.Equal(got, want) {
		t.Errorf("arrays %q, want %q", got, want)
	}
	if sends := j.of(t, 0, ring.Enter, id("MPI_Send")); len(sends) != 2 {
		t.Errorf("%d sends are recorded, want 2", len(sends))
	}
}

// Exceptions that a script has caught are recorded before the call that follows: those that are gone, those that are
// kept, and the one that is being handled.
func TestCaughtExceptionsOfPythonAreRecorded(t *testing.T) {
	script := filepath.Join(t.TempDir(), "script.py")
	write(t, script, `import sys
from mpi4py import MPI
comm = MPI.COMM_WORLD
class Mine(ValueError):
    def __init__(self, n):
        super().__init__("number %d" % n)
def fail(kind, *args):
    raise kind(*args)
def caught(kind, *args):
    try:
        fail(kind, *args)
    except BaseException as e:
        return e
caught(Mine, 7)
comm.Barrier()
kept = [caught(KeyError, "name"), caught(ZeroDivisionError)]
comm.Barrier()
try:
    open("/nonexistent/file")
except OSError:
    comm.Barrier()
comm.Barrier()
for i in range(1000):
    caught(IndexError, i)
comm.Barrier()
never = ValueError("not raised")
del never
comm.Barrier()
caught(SystemExit, 3)
`)
	j := flavours[0].launch(t, 4096, 1, "/usr/bin/python3", script)
	if code := j.finish(t); code != 0 {
		t.Fatalf("exit status %d\n%s", code, j.out.String())
	}
	var got []string
	pending := ""
	for _, x := range j.recs[j.first(t, 0).PID] {
		switch {
		case x.Kind == ring.Data && ring.DataID(x.Func) == ring.DataCaught:
			kind, w := x.text(0)
			text, w := x.text(w)
			pending += fmt.Sprintf("%s %q %d frames from %d; ", kind, text, x.Words[w], x.Words[w+1])
		case x.Kind == ring.Enter && (x.Func == id("MPI_Barrier") || x.Func == id("MPI_Finalize")):
			got, pending = append(got, pending), ""
		}
	}
	index := func(i int) string { return fmt.Sprintf("IndexError \"%d\" 2 frames from 8; ", i) }
	want := []string{
		`Mine "number 7" 2 frames from 8; `,
		`KeyError "name" 2 frames from 8; ZeroDivisionError "" 2 frames from 8; `,
		`FileNotFoundError "No such file or directory: '/nonexistent/file'" 1 frames from 19; `,
		`FileNotFoundError "No such file or directory: '/nonexistent/file'" 1 frames from 19; `,
		index(12) + index(13) + index(14) + index(15),
		"",
		`SystemExit "3" 2 frames from 8; `,
	}
	if !slices.Equal(got, want) {
		t.Errorf("before calls:\n%q, want\n%q", got, want)
	}
}
