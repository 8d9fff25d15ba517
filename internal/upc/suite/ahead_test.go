//go:build !quick

package suite

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// aheadText calls the checks as wrappers do, but no function between them in which threads would meet: one of two
// threads makes both of its calls before the other one makes any. It is compiled without checks, which would be
// inserted into it otherwise.
const aheadText = `#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <upc_relaxed.h>
#include "upck.h"
#include "upck_ops.h"
static const struct upck_site reading = {.call = "upc_all_fread_local", .file = "r.upc", .line = 1};
static const struct upck_site writing = {.call = "upc_all_fwrite_local", .file = "w.upc", .line = 2};
static shared int through;
void calls(int first, const char *how);
static void call(int writes, long long from, unsigned long phase)
{
	static int last;
	static unsigned long turn = 1;
	turn += writes != last;
	last = writes;
	const struct upck_site *site = writes ? &writing : &reading;
	struct upck_touch touch = {"file", phase, turn, writes};
	struct upck_range ranges[] = {{from, from + 8}, {from + 5000, from + 5008}};
	upck_collective(site, writes ? UPCK_OP_upc_all_fwrite_local : UPCK_OP_upc_all_fread_local, 0, 0, 0);
	upck_touches(site, &touch, ranges, 2);
	upck_done();
}
void calls(int first, const char *how)
{
	while (MYTHREAD != first && !through)
		usleep(500);
	long long mine = 100 + 100 * MYTHREAD;
	if (!strcmp(how, "write-read")) {
		call(1, MYTHREAD == 0 ? 0 : mine, 1);
		call(0, MYTHREAD == 0 ? mine : 0, 1);
	} else if (!strcmp(how, "write-write")) {
		call(1, MYTHREAD == 0 ? 4 : mine, 1);
		call(1, MYTHREAD == 0 ? mine : 0, 1);
	} else if (!strcmp(how, "read-write")) {
		call(0, MYTHREAD == 0 ? mine : 0, 1);
		call(1, MYTHREAD == 0 ? 0 : mine, 1);
	} else if (!strcmp(how, "in-a-row")) {
		for (int i = 0; i < 40; i++)
			call(1, MYTHREAD == 0 ? 8 * i : 1000 + 8 * i, 1);
		call(0, MYTHREAD == 0 ? 2000 : 8 * 39, 1);
	} else if (!strcmp(how, "in-turns")) {
		call(1, MYTHREAD == 0 ? 0 : mine, 1);
		call(0, MYTHREAD == 0 ? mine : 0, 1);
		call(1, MYTHREAD == 0 ? 8 : mine + 8, 1);
	} else if (!strcmp(how, "synchronise")) {
		call(1, MYTHREAD == 0 ? 0 : mine, 1);
		upck_untouched(1);
		call(0, MYTHREAD == 0 ? mine : 0, 2);
	}
	through = 1;
}
`

const aheadMain = `#include <stdlib.h>
void calls(int first, const char *how);
int main(int argc, char **argv)
{
	(void)argc;
	calls(atoi(argv[1]), argv[2]);
	return 0;
}
`

// TestThreadsAheadOfOthers: what is found of parts of files does not depend on which thread comes first, where nothing
// makes threads wait for each other.
func TestThreadsAheadOfOthers(t *testing.T) {
	b := newBench(t)
	if err := b.sources(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(b.dir, "calls")
	if err := os.WriteFile(path+".upc", []byte(aheadText), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := b.compile("-c", "-I"+b.dir, "-o", path+".o", path+".upc"); err != nil {
		t.Fatal(err)
	}
	program := shared.compile(t, "mpich", false, []string{path + ".o"}, source{"program.upc", aheadMain})
	for how, want := range map[string]string{
		"write-read": `Bytes 0-7 of the file "file" are written by thread 0 at upc_all_fwrite_local (w.upc:2) and read by thread 1 at upc_all_fread_local (r.upc:1), ` +
			`without upc_all_fsync or upc_all_fclose between. [RFLB-19]`,
		"in-a-row": `Bytes 312-319 of the file "file" are written by thread 0 at upc_all_fwrite_local (w.upc:2) and read by thread 1 at upc_all_fread_local (r.upc:1), ` +
			`without upc_all_fsync or upc_all_fclose between. [RFLB-19]`,
		"in-turns": `Bytes 0-7 of the file "file" are written by thread 0 at upc_all_fwrite_local (w.upc:2) and read by thread 1 at upc_all_fread_local (r.upc:1), ` +
			`without upc_all_fsync or upc_all_fclose between. [RFLB-19]`,
		"write-write": `Bytes 4-7 of the file "file" are written by threads 0, 1 at upc_all_fwrite_local (w.upc:2), without upc_all_fsync or upc_all_fclose between. [WFLB-19]`,
		"read-write":  "",
		"synchronise": "",
	} {
		for _, first := range []string{"0", "1"} {
			status, told := run(t, launch{mpi: "mpich", threads: 2, args: []string{first, how}}, program)
			switch {
			case want == "" && (!isZero(status) || told != ""):
				t.Errorf("%s, thread %s first: status %d, told:\n%s", how, first, status, told)
			case want != "" && (reports(told) != 1 || !strings.Contains(told, want)):
				t.Errorf("%s, thread %s first: status %d, told:\n%s", how, first, status, told)
			}
		}
	}
}
