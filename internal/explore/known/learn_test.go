package known

import (
	"fmt"
	"strings"
	"testing"

	"unknot/internal/trace/text"
	"unknot/internal/vocab/plan"
)

// TestWhatIsNotFollowedIsSaid has logs as the agents record them: with what windows, files and partitioned messages
// have for communicators.
func TestWhatIsNotFollowedIsSaid(t *testing.T) {
	table := load(t)
	const (
		window = "inner win name=\"window over MPI_COMM_WORLD\": 0-1\n" +
			"inner posts name=\"posts of a window over MPI_COMM_WORLD\": 0-1\n"
		file    = "inner file name=\"file over MPI_COMM_WORLD\": 0-1\n"
		channel = "inner parts name=\"a channel of its own\": 0-1\n"
		leaders = "inner leaders name=\"leaders of intercommunicators over MPI_COMM_WORLD\": 0-1\n"
		group   = "inner group name=\"a group of its own\": 0-1\n"
	)
	for _, c := range []struct {
		name, log string
		want      string
	}{
		{"messages and collectives", "P0: Send(1,0) Barrier Finalize\nP1: Recv(0,0) Barrier Finalize\n", "[]"},
		{"a window", "P0: Win_create Finalize\nP1: Win_create Finalize\n", "[what windows and files hold]"},
		{"its epochs", window + "P0: Win_fence(win) Finalize\nP1: Win_fence(win) Finalize\n",
			"[what windows and files hold]"},
		{"what is posted to others",
			window + "P0: Win_post{send(1,0,posts,mode=buffered)} Finalize\nP1: Win_start{recv(0,0,posts)=a " +
				"wait(a!)} Finalize\n",
			"[what windows and files hold]"},
		{"an operation on a window", "P0: Rput{served(1,0)=a} Wait(a) Finalize\nP1: Finalize\n",
			"[what windows and files hold]"},
		{"a file", file + "P0: File_close(file) Finalize\nP1: File_close(file) Finalize\n",
			"[what windows and files hold]"},
		{"a file that is deleted", "P0: File_delete{opaque} Finalize\nP1: Finalize\n",
			"[what MPI_File_delete waits for what windows and files hold]"},
		{"a partitioned message",
			channel + "P0: Pready{send(1,0,parts)=a} Wait(a) Finalize\nP1: Start{recv(0,0,parts)=a} Wait(a) Finalize\n",
			"[partitioned messages]"},
		{"leaders that meet", leaders + "P0: Intercomm_create{send(1,0,leaders,mode=buffered) recv(1,0,leaders)=a " +
			"wait(a!)} Finalize\n" +
			"P1: Intercomm_create{send(0,0,leaders,mode=buffered) recv(0,0,leaders)=a wait(a!)} Finalize\n", "[]"},
		{"a communicator of a group", group + "P0: Comm_create_group{coll(group,sync=all)=a wait(a!)} Finalize\n" +
			"P1: Comm_create_group{coll(group,sync=all)=a wait(a!)} Finalize\n", "[]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l, err := text.Read(strings.NewReader("ranks 2\n"+c.log), "log")
			if err != nil {
				t.Fatal(err)
			}
			p := NewProgram(2, table)
			p.Learn(l, plan.Plan{})
			if got := fmt.Sprint(p.Unmodelled()); got != c.want {
				t.Errorf("not followed: %s, want %s", got, c.want)
			}
		})
	}
}
