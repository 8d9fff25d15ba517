//go:build !quick

package probe

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"unknot/internal/observe/ring"
	"unknot/internal/vocab/op"
	"unknot/internal/vocab/plan"
)

// writePlan writes the file of a plan.
func writePlan(t *testing.T, p plan.Plan) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "plan")
	if err := plan.Write(path, p); err != nil {
		t.Fatal(err)
	}
	return path
}

// planned launches a program under the plan of a file.
func (f flavour) planned(t *testing.T, path string, n int, program ...string) *job {
	t.Helper()
	return f.launch(t, 512, n, append([]string{"env", ring.EnvPlan + "=" + path}, program...)...)
}

const chosen = `#include <mpi.h>
int main(int argc, char **argv)
{
    int rank, x = 0, found = 0, times = 0;
    MPI_Request r;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank > 0) {
        MPI_Recv(&x, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&x, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    } else {
        MPI_Recv_init(&x, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &r);
        for (int i = 0; i < 50; i++)
            MPI_Iprobe(MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
        for (int i = 1; i < 3; i++)
            MPI_Send(&x, 1, MPI_INT, i, 1, MPI_COMM_WORLD);
        while (!found && ++times)
            MPI_Iprobe(MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Start(&r);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
        MPI_Request_free(&r);
    }
    MPI_Finalize();
    return 0;
}`

func TestTheRecordIsOfWhatTheProgramCalled(t *testing.T) {
	onBoth(t, func(t *testing.T, f flavour) {
		path := writePlan(t, plan.Plan{Ranks: 3, Synchronous: true, Decisions: []plan.Decision{
			{Nth: 0, Source: 2, Tag: -1}, {Nth: 1, Source: 2, Tag: 1}, {Nth: 2, Source: 1, Tag: -1},
			{Nth: 3, Source: 1, Tag: -1}, {Nth: 9, Source: 1, Tag: -1}}})
		j := f.planned(t, path, 3, f.compile(t, chosen))
		if code := j.finish(t); code != 0 {
			t.Fatalf("exit status %d\n%s", code, j.out.String())
		}
		if n := len(j.of(t, 0, ring.Enter, id("MPI_Ssend"))); n > 0 {
			t.Errorf("%d synchronous sends are recorded, the program has none", n)
		}
		for _, call := range []string{"MPI_Recv", "MPI_Iprobe"} {
			f := table.ByName(call)
			source, _, _ := f.Receives()
			for _, x := range j.of(t, 0, ring.Enter, f.ID) {
				if got := int32(x.Words[f.EnterAt[f.Params[source].Role]]); got == 1 || got == 2 {
					t.Errorf("%s is recorded as from rank %d, the program says any", call, got)
				}
			}
		}
		// What was forced stands right before the call: polls that are not recorded again say nothing again.
		var said []string
		all := j.recs[j.first(t, 0).PID]
		for i, x := range all {
			if x.Kind == ring.Data && ring.DataID(x.Func) == ring.DataForced {
				next := all[i+1]
				said = append(said, fmt.Sprintf("%s %d %d %d", table.ByID(next.Func).Name, int32(x.Words[0]),
					int32(x.Words[1]), int32(x.Words[2])))
			}
		}
		said = compactText(said)
		if want := "MPI_Iprobe 0 2 1, MPI_Recv 0 2 1, MPI_Start 0 1 1"; strings.Join(said, ", ") != want {
			t.Errorf("forced: %s, want %s", strings.Join(said, ", "), want)
		}
		if u := j.data(t, 0, ring.DataUnused); len(u) != 1 || fmt.Sprint(u[0].Words[:4]) != "[3 2 2 0]" {
			t.Errorf("unused: %v", u)
		}
		if remade := j.data(t, 0, ring.DataRemade); len(remade) != 1 || remade[0].Words[0] == remade[0].Words[1] {
			t.Errorf("remade: %v", remade)
		}
		for rank := 1; rank < 3; rank++ {
			if u := j.data(t, rank, ring.DataUnused); len(u) > 0 {
				t.Errorf("rank %d says %v", rank, u)
			}
		}
	})
}

// compactText drops repetitions that stand next to each other: a poll is recorded again after other calls.
func compactText(list []string) []string {
	var out []string
	for _, s := range list {
		if len(out) == 0 || out[len(out)-1] != s {
			out = append(out, s)
		}
	}
	return out
}

func TestAPlanThatDoesNotFitForcesNothing(t *testing.T) {
	fits := plan.Plan{Ranks: 3, Decisions: []plan.Decision{{Nth: 0, Source: 2, Tag: -1}}}
	damaged := func(t *testing.T, damage func(b []byte) []byte) string {
		path := writePlan(t, fits)
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		write(t, path, string(damage(text)))
		return path
	}
	onBoth(t, func(t *testing.T, f flavour) {
		program := f.compile(t, chosen)
		for name, c := range map[string]struct{ path, want string }{
			"ranks": {writePlan(t, plan.Plan{Ranks: 4}), "the plan % is for 4 ranks, the job has 3"},
			"version": {damaged(t, func(b []byte) []byte { b[8] = 9; return b }),
				"the plan % has version 9, the probe reads version 3"},
			"cut": {damaged(t, func(b []byte) []byte { return b[:len(b)-4] }),
				"the plan % is damaged: its parts do not fill its 172 bytes"},
			"index": {damaged(t, func(b []byte) []byte { b[33] = 1; return b }),
				"the plan % is damaged: its parts do not fill its 176 bytes"},
			"empty":   {damaged(t, func(b []byte) []byte { return nil }), "% is no plan"},
			"other":   {damaged(t, func(b []byte) []byte { return append([]byte("#!"), b...) }), "% is no plan"},
			"missing": {filepath.Join(t.TempDir(), "nowhere"), "the plan % cannot be read (No such file or directory)"},
			"fits":    {writePlan(t, fits), ""},
		} {
			j := f.planned(t, c.path, 3, program)
			if code := j.finish(t); code != 0 {
				t.Fatalf("%s: exit status %d\n%s", name, code, j.out.String())
			}
			for rank := range 3 {
				said := j.data(t, rank, ring.DataPlan)
				if len(said) != 1 {
					t.Errorf("%s: rank %d speaks %d times of the plan", name, rank, len(said))
					continue
				}
				if got, _ := said[0].text(0); got != strings.ReplaceAll(c.want, "%", c.path) {
					t.Errorf("%s: rank %d says %q, want %q", name, rank, got, c.want)
				}
			}
			if n := len(j.data(t, 0, ring.DataForced)); (n > 0) != (c.want == "") {
				t.Errorf("%s: %d receives are forced", name, n)
			}
		}
	})
}

// buildForced compiles the plan's part of the probe with its driver, under the sanitizers.
func (f flavour) buildForced(t *testing.T) string {
	t.Helper()
	dir := runtimeDir(t)
	args := append([]string{"-std=gnu11", "-g", "-Wall", "-Wextra", "-Werror", "-Wno-stringop-overflow",
		"-fexceptions", "-pthread",
		"-I", dir, "-o", filepath.Join(dir, "driver"),
		"testdata/forced.c", "-ldl"}, sanitize...)
	for _, name := range []string{"forced.c", "forced_requests.c", "forced_sendrecv.c", "forced_choices.c",
		"forced_copies.c", "../writer/writer.c", "../writer/fold.c", "../writer/echo.c", "../writer/again.c"} {
		args = append(args, filepath.Join(dir, "objects", name))
	}
	if out, err := exec.Command(f.mpicc, args...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return filepath.Join(dir, "driver")
}

// forced runs the driver and gives what it prints.
func forced(t *testing.T, driver string, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, driver, args...)
	// The MPI libraries keep their memory. Open MPI puts jumps over the C library's functions that change the address
	// space; where there is a sanitizer, these are the sanitizer's, and since gcc 16 a program ends with SIGILL in
	// MPI_Init.
	cmd.Env = append(os.Environ(), "ASAN_OPTIONS=detect_leaks=0", "OMPI_MCA_memory=^patcher")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return string(out)
}

func TestForcingIsCleanUnderTheSanitizers(t *testing.T) {
	byTurns(t, 0, func(t *testing.T, f flavour) {
		driver := f.buildForced(t)

		out := forced(t, driver, "exchange")
		plain, planned, _ := strings.Cut(out, "as planned\n")
		planned, short, _ := strings.Cut(planned, "too little room\n")
		if plain == "" || plain != planned {
			t.Errorf("MPI's own exchanges:\n%s\nas planned:\n%s", plain, planned)
		}
		if !strings.HasPrefix(short, "truncated 1") {
			t.Errorf("a message that is too long: %s", short)
		}

		// Decision k has the receive wait for tag 3, then 2, 1, 0; the second of three sends is synchronous.
		p := plan.Plan{Ranks: 1, Sends: []plan.Send{{Nth: 1}}}
		for i := range 4 {
			p.Decisions = append(p.Decisions, plan.Decision{Nth: uint32(i), Tag: int32(3 - i)})
		}
		want := "changed 1: messages 3 2\nchanged 1: messages 1 0\nchanged 0\nchanged 1\nchanged 1\n"
		if out := forced(t, driver, "requests", writePlan(t, p)); out != want {
			t.Errorf("requests:\n%s\nwant\n%s", out, want)
		}

		// Each call reports nothing, then something; what names the inactive request is not followed.
		p = plan.Plan{Ranks: 1}
		for i, done := range [][]int32{nil, {1, 2, 0}, nil, {1}, {2}, {1, 0}, {2}, {1}, nil, {}, nil, {0},
			{}, {}, nil} {
			p.Outcomes = append(p.Outcomes, plan.Outcome{Nth: uint32(i), Nothing: done == nil, Done: done})
		}
		const none, one, two = "indices -1 -1 tags -1 -1\n", "indices -1 -1 tags", "indices 1 0 tags 1 0\n"
		want = "4: rc 0 flag 0 index -1 outcount 0 " + none + "4: rc 0 flag -1 index -1 outcount 2 " + two +
			"3: rc 0 flag 0 index -1 outcount 0 " + none + "3: rc 0 flag 1 index 1 outcount -1 " + one + " 1 -1\n" +
			"1: rc 0 flag -1 index -1 outcount 2 indices 0 1 tags 0 1\n1: rc 0 flag -1 index -1 outcount 2 " + two +
			"0: rc 0 flag 1 index 0 outcount -1 " + one + " 0 -1\n0: rc 0 flag 1 index 1 outcount -1 " +
			one + " 1 -1\n" +
			"5: rc 0 flag 0 index -1 outcount 0 " + none + "5: rc 0 flag 1 index -1 outcount -1 " + one + " 0 1\n" +
			"2: rc 0 flag 0 index -1 outcount 0 " + none + "2: rc 0 flag 1 index -1 outcount -1 " + one + " 0 -1\n" +
			"6: rc 0 flag 1 index -1 outcount -1 " + one + " 3 -1\n7: rc 0 flag 1 index -1 outcount -1 " +
			one + " 3 -1\n" +
			"6: rc 0 flag 0 index -1 outcount 0 " + none
		if out := forced(t, driver, "choices", writePlan(t, p)); out != want {
			t.Errorf("choices:\n%s\nwant\n%s", out, want)
		}

		// Files of every kind of damage: whatever they say, nothing outside of them is read.
		p = plan.Plan{Ranks: 1}
		for i := range 30 {
			thread, nth := op.Thread(i/15), uint32(i%15)
			p.Decisions = append(p.Decisions, plan.Decision{Thread: thread, Nth: nth, Tag: 1})
			p.Sends = append(p.Sends, plan.Send{Thread: thread, Nth: nth})
			p.Outcomes = append(p.Outcomes, plan.Outcome{Thread: thread, Nth: nth, Done: []int32{int32(i % 2), 2}})
		}
		whole := writePlan(t, p)
		text, err := os.ReadFile(whole)
		if err != nil {
			t.Fatal(err)
		}
		random := rand.New(rand.NewPCG(1, 2))
		dir, files := t.TempDir(), []string{"files", whole}
		for i := range 300 {
			b := append([]byte(nil), text...)
			for n := 1 + random.IntN(3); n > 0 && len(b) >= 16; n-- {
				switch at := random.IntN(len(b) - 8); random.IntN(4) {
				case 0:
					b = b[:at+8]
				case 1:
					binary.LittleEndian.PutUint64(b[at/8*8:], random.Uint64()>>random.IntN(64))
				case 2: // of the header and the index
					binary.LittleEndian.PutUint64(b[random.IntN(8)%(len(b)/8)*8:], random.Uint64()>>random.IntN(64))
				case 3:
					b = append(b, text[:min(at, len(text))]...)
				}
			}
			if len(b) >= 32 && i%2 == 0 { // as long as the header says
				binary.LittleEndian.PutUint64(b[24:], uint64(len(b)))
			}
			files = append(files, filepath.Join(dir, fmt.Sprint(i)))
			write(t, files[len(files)-1], string(b))
		}
		if out := forced(t, driver, files...); !strings.HasPrefix(out, "30 receives, 30 sends, 90 of outcomes\n") ||
			strings.Count(out, "\n") != 301 {
			t.Errorf("files:\n%s", out)
		}
	})
}
