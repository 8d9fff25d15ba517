package dump

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"unknot/internal/attach/call"
	"unknot/internal/attach/callsite"
	"unknot/internal/attach/handle"
	"unknot/internal/attach/job"
	"unknot/internal/attach/look"
	"unknot/internal/kit/procstat"
	"unknot/internal/observe/record"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
)

func table(t *testing.T) *mpi.T {
	t.Helper()
	table, err := mpi.Load()
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// some is a dump of a rank of a job on a host.
func some(table *mpi.T, host, of string, rank int) *Dump {
	receive, wait := table.ByName("MPI_Recv"), table.ByName("MPI_Wait")
	r := look.Rank{
		Rank:    job.Rank{PID: 7 + rank, Job: of, Rank: rank, Size: 4, Local: 1, Program: "/bin/app"},
		Command: []string{"./app", ""}, Library: &handle.Library{AnySource: -1, ProcNull: -2, AnyTag: -1}, File: "/usr/lib/libmpi.so.40",
		Recording: true, Sites: map[uint64]finding.Frame{1 << 63: {Function: "main", File: "app.c", Line: 3}},
		Record: &record.Rank{PID: 7, Rank: rank, Ranks: 4, Library: "Open MPI v4.1.4", State: record.Alive,
			Requests: []record.Request{{Handle: 1<<64 - 1, Func: table.ByName("MPI_Irecv"), Peer: -1}},
			Comms: []record.Comm{{Serial: 1, Last: []record.Collective{{Func: table.ByName("MPI_Barrier")}},
				Local: record.Group{Size: 1, Ranks: []int32{0}}}},
			Threads: []record.Thread{{TID: 7, Calls: 3, In: &record.Call{Func: wait, Args: []uint64{1, 2}}}}},
	}
	r.Threads = []look.Thread{{TID: 7 + rank, Activity: procstat.Activity{State: 'S', Call: "poll"}, Own: true,
		Frames: []finding.Frame{{Function: "main", File: "app.c", Line: 4}},
		Call: &look.Call{Call: call.Call{Function: receive, Arguments: []callsite.Value{{Bits: 1, Known: true}}},
			Constants: []string{"MPI_COMM_WORLD"}},
		Recorded: r.Record.Threads[0].In, Kept: look.Stays, Ran: true}}
	return &Dump{Format: Format, Unknot: "1.0", Start: "2026-11-30T12:00:00Z",
		Hosts: []look.Host{{Name: host, Seconds: 1.5, Refused: "no", Ranks: []look.Rank{r}}}}
}

// TestADumpIsReadAsItWasWritten has rows of the table where functions are.
func TestADumpIsReadAsItWasWritten(t *testing.T) {
	table := table(t)
	d := some(table, "a", "j", 0)
	d.Missing = []Missing{{Host: "b", Why: "cannot be reached"}}
	text, err := Encode(d)
	if err != nil {
		t.Fatal(err)
	}
	back, err := Decode(text, table)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(d, back) {
		t.Errorf("%+v\nis read as\n%+v", d, back)
	}
	r := &back.Hosts[0].Ranks[0]
	in, last := r.Threads[0].Call.Function, r.Record.Comms[0].Last[0].Func
	if in != table.ByName("MPI_Recv") || last != table.ByName("MPI_Barrier") {
		t.Errorf("%v and %v are no rows of the table", in, last)
	}
}

// TestADumpHasTheLastCallsAndNotTheCode, each in some bytes, as a job may have many ranks.
func TestADumpHasTheLastCallsAndNotTheCode(t *testing.T) {
	table := table(t)
	d := some(table, "a", "j", 0)
	rank := d.Hosts[0].Ranks[0].Record
	without, err := Encode(d)
	if err != nil {
		t.Fatal(err)
	}
	for i := range look.MostCalls {
		rank.Calls = append(rank.Calls, record.Past{Func: table.ByName("MPI_Send"), Site: 1<<46 + uint64(i%7)*100, Comm: 1,
			Peer: int32(i % 5), Tag: int32(i), Count: 1000})
	}
	rank.Modules, rank.Noted = "some", look.MostCalls+7
	text, err := Encode(d)
	if err != nil {
		t.Fatal(err)
	}
	back, err := Decode(text, table)
	if err != nil {
		t.Fatal(err)
	}
	later := back.Hosts[0].Ranks[0].Record
	if later.Modules != "" || rank.Modules == "" || later.Noted != rank.Noted ||
		!reflect.DeepEqual(later.Calls, rank.Calls) {
		t.Errorf("%+v is read as %+v", rank, later)
	}
	if n := len(text) - len(without); n > 8*look.MostCalls {
		t.Errorf("the calls take %d bytes", n)
	}
}

func packed(t *testing.T, text string) []byte {
	t.Helper()
	var out bytes.Buffer
	to := gzip.NewWriter(&out)
	if _, err := to.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := to.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestEachBadFileIsRefusedInASentence cuts and changes a dump.
func TestEachBadFileIsRefusedInASentence(t *testing.T) {
	table := table(t)
	good, err := Encode(some(table, "a", "j", 0))
	if err != nil {
		t.Fatal(err)
	}
	flipped := bytes.Clone(good)
	flipped[len(flipped)-6] ^= 1 // of the checksum
	for _, c := range []struct {
		name string
		text []byte
		want string
	}{
		{"empty", nil, "is not a dump of unknot; hint: "},
		{"text", []byte(`{"schema": "unknot.findings/1"}`), "is not a dump of unknot; hint: "},
		{"cut", good[:len(good)/2], "ends too early; hint: copy it again"},
		{"flipped", flipped, "is damaged (gzip: invalid checksum); hint: "},
		{"archive", packed(t, "some log"), "is compressed by gzip, but is not a dump of unknot"},
		{"other", packed(t, `{"Format": "other/1"}`), "is compressed by gzip, but is not a dump of unknot"},
		{"newer", packed(t, `{"Format": "unknot.dump/2"}`),
			"is of the format unknot.dump/2, and this unknot reads unknot.dump/1; hint: "},
		{"types", packed(t, `{"Format": "unknot.dump/1", "Hosts": 3}`), "is damaged (json: "},
		{"ranks", packed(t, `{"Format": "unknot.dump/1", "Hosts": [{"Ranks": [{"Rank": -1}]}]}`),
			"is damaged: it has rank -1 of 0; hint: "},
		{"call", packed(t, `{"Format": "unknot.dump/1", "Hosts": [{"Ranks": [{"Threads": [{"Call": {}}]}]}]}`),
			"is damaged: rank 0 is in a call of no function; hint: "},
	} {
		file := filepath.Join(t.TempDir(), c.name+Suffix)
		if err := os.WriteFile(file, c.text, 0o600); err != nil {
			t.Fatal(err)
		}
		if !Is(file) {
			t.Errorf("%s is not taken for a dump", c.name)
		}
		_, err := Read([]string{file}, table)
		if err == nil || !strings.HasPrefix(err.Error(), file+" "+c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

// TestSeveralFilesAreOfOneJob joins dumps of hosts.
func TestSeveralFilesAreOfOneJob(t *testing.T) {
	table := table(t)
	dir := t.TempDir()
	write := func(name string, d *Dump) string {
		path := filepath.Join(dir, name)
		if err := Write(path, d); err != nil {
			t.Fatal(err)
		}
		return path
	}
	a, b := write("a", some(table, "a", "j", 0)), write("b", some(table, "b", "j", 1))
	again, other := write("again", some(table, "c", "j", 0)), write("other", some(table, "b", "k", 1))
	both := some(table, "b", "k", 1)
	both.Hosts = append(both.Hosts, some(table, "b", "l", 1).Hosts...)
	two := write("two", both)
	d, err := Read([]string{a, b}, table)
	if err != nil || len(d.Hosts) != 2 || d.Hosts[1].Name != "b" {
		t.Fatalf("%v: %+v", err, d)
	}
	if d, err := Read([]string{two}, table); err != nil || len(d.Jobs()) != 2 || len(d.Of("l")) != 1 {
		t.Errorf("%v: %+v", err, d)
	}
	for _, c := range []struct {
		files []string
		want  string
	}{
		{[]string{a, b, again}, "rank 0 is in both " + a + " and " + again + "; hint: give one dump of each host"},
		{[]string{a, other}, other + " has ranks of job k, and " + a + " of job j; hint: "},
		{[]string{a, two}, two + " has ranks of 2 jobs (k, l), and several files must be of one; hint: "},
		{[]string{a, filepath.Join(dir, "none")}, "open " + filepath.Join(dir, "none") + ": no such file"},
	} {
		if _, err := Read(c.files, table); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
	names, err := filepath.Glob(filepath.Join(dir, ".*"))
	if err != nil || len(names) > 0 {
		t.Errorf("left behind: %v (%v)", names, err)
	}
}
