package calls

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"unknot/internal/model/waitstate"
)

// afterWindow: both ranks have made a window of MPI_COMM_WORLD.
var afterWindow = setting{2, `
	MPI_Win_create(buf 10 1 info world) = w
	1: MPI_Win_create(buf 10 1 info world) = w`, false}

func TestWindows(t *testing.T) {
	afterWindow.check(t, []expect{
		{"a fence is a collective of the window", `
			MPI_Win_fence(0 w) =
			1: MPI_Win_fence(0 w) =
			MPI_Win_free(w) =
			MPI_Win_fence(0 strange) =`, `
			MPI_Win_fence starts part of w 0 needs all everybody and waits for it
			returned
			1: MPI_Win_fence starts part of w 0 needs all everybody and waits for it
			1: returned
			MPI_Win_free starts part of w 1 needs all everybody and waits for it
			returned
			MPI_Win_fence opaque telling
			returned`},
		{"a fence after something was asked for tells what others have written", `
			MPI_Get(buf 1 int 1 0 1 int w) =
			MPI_Win_fence(0 w) =
			MPI_Put(buf 1 int 1 0 1 int w) =
			MPI_Win_fence(0 w) =`, `
			MPI_Win_fence telling starts part of w 0 needs all everybody and waits for it
			returned
			MPI_Win_fence starts part of w 1 needs all everybody and waits for it
			returned`},
		{"only one that may complete what was asked for tells it", `
			MPI_Win_create(buf 10 1 info world) = v
			MPI_Get(buf 1 int 1 0 1 int w) =
			MPI_Win_fence(0 v) =
			MPI_Win_flush(0 w) =
			MPI_Win_fence(0 w) =
			MPI_Get(buf 1 int 1 0 1 int w) =
			MPI_Win_flush(1 w) =
			MPI_Win_fence(0 w) =
			MPI_Fetch_and_op(buf buf int 1 0 sum w) =
			MPI_Win_flush_all(w) =
			MPI_Win_fence(0 w) =
			MPI_Win_start({1} 0 w) =
			MPI_Rget(buf 1 int 1 0 1 int w) = r1
			MPI_Win_complete(w) =`, `
			MPI_Win_create starts part of world 1 needs all everybody and waits for it
			returned
			MPI_Win_fence starts part of v 0 needs all everybody and waits for it
			returned
			MPI_Win_flush opaque silent
			returned
			MPI_Win_fence telling starts part of w 0 needs all everybody and waits for it
			returned
			MPI_Win_flush opaque silent
			returned
			MPI_Win_fence starts part of w 1 needs all everybody and waits for it
			returned
			MPI_Win_flush_all opaque silent
			returned
			MPI_Win_fence starts part of w 2 needs all everybody and waits for it
			returned
			MPI_Win_start starts receive 0<1 tag 0 in posts of w and waits for it
			returned
			requested
			MPI_Win_complete telling starts send 0>1 tag 0 in completions of w buffered,
			waits for receive 0<1 tag 0 in posts of w
			returned`},
		{"a start waits for the posts of its group, a wait for the completes of the group that it was posted to", `
			MPI_Win_post({1} 0 w) =
			1: MPI_Win_start({0} 0 w) =
			1: MPI_Win_complete(w) =
			MPI_Win_wait(w) =`, `
			MPI_Win_post at once starts send 0>1 tag 0 in posts of w buffered
			returned
			1: MPI_Win_start starts receive 1<0 tag 0 in posts of w and waits for it
			1: returned
			1: MPI_Win_complete starts send 1>0 tag 0 in completions of w buffered,
			waits for receive 1<0 tag 0 in posts of w
			1: returned
			MPI_Win_wait starts receive 0<1 tag 0 in completions of w and waits for it
			returned`},
		{"a complete may have to wait for what its start did not wait for, once", `
			MPI_Win_start({1 0} 0 w) =
			MPI_Win_complete(w) =
			MPI_Win_complete(w) =`, `
			MPI_Win_start starts receive 0<0 tag 0 in posts of w,
			receive 0<1 tag 0 in posts of w and waits for it
			returned
			MPI_Win_complete starts send 0>0 tag 0 in completions of w buffered,
			send 0>1 tag 0 in completions of w buffered,
			waits for receive 0<0 tag 0 in posts of w,
			receive 0<1 tag 0 in posts of w
			returned
			MPI_Win_complete starts send 0>0 tag 0 in completions of w buffered,
			send 0>1 tag 0 in completions of w buffered
			returned`},
		{"a test of the exposure epoch that finds it over has collected the completes", `
			MPI_Win_post({1 -1} 0 w) =
			MPI_Win_test(w) = 0
			MPI_Win_test(w) = 1`, `
			MPI_Win_post at once starts send 0>1 tag 0 in posts of w buffered
			returned
			found what at once starts receive 0<1 tag 0 in completions of w and waits for it`},
		{"of a window that is not known these wait for unknown reasons", `
			MPI_Win_post({1} 0 strange) =
			MPI_Win_start({1} 0 strange) =
			MPI_Win_test(strange) = 1
			MPI_Win_lock(exclusive 1 0 strange) =
			MPI_Win_flush_local(1 strange) =`, `
			MPI_Win_post opaque
			returned
			MPI_Win_start opaque
			returned
			MPI_Win_lock opaque
			returned
			MPI_Win_flush_local opaque
			returned`},
		{"locks wait for what is not followed, and tell nothing", `
			MPI_Win_lock(exclusive 1 0 w) =
			MPI_Put(buf 1 int 1 0 1 int w) =
			MPI_Win_flush(1 w) =
			MPI_Win_flush_local(1 w) =
			MPI_Win_unlock(1 w) =
			MPI_Win_lock_all(0 w) =
			MPI_Win_unlock_all(w) =`, `
			MPI_Win_lock opaque silent
			returned
			MPI_Win_flush opaque silent
			returned
			MPI_Win_flush_local opaque silent
			returned
			MPI_Win_unlock opaque silent
			returned
			MPI_Win_lock_all opaque silent
			returned
			MPI_Win_unlock_all opaque silent
			returned`},
		{"a request of a one-sided call is complete from the beginning", `
			MPI_Rput(buf 1 int 1 0 1 int w) = r1
			MPI_Rget(buf 1 int 1 0 1 int w) = r2
			MPI_Waitall(2 [r1 r2]) = [0 0 0 0 0 0]`, `
			requested
			requested
			MPI_Waitall waits for served,
			served at [0 1]
			MPI_Waitall at 5 got 0 bytes
			completed served
			MPI_Waitall at 5 got 0 bytes
			completed served
			returned`},
		{"one on a communicator that is not known is not known", `
			MPI_Win_create(buf 10 1 info strange) = v
			MPI_Win_fence(0 v) =
			MPI_Win_create(buf 10 1 info strange) = w
			MPI_Win_fence(0 w) =`, `
			MPI_Win_create opaque
			returned
			MPI_Win_fence opaque telling
			returned
			MPI_Win_create opaque
			returned
			MPI_Win_fence opaque telling
			returned`},
		{"two of one communicator are two", `
			MPI_Win_allocate(10 1 info world) = base v
			1: MPI_Win_allocate(10 1 info world) = base v
			MPI_Win_fence(0 v) =
			1: MPI_Win_fence(0 v) =
			1: MPI_Win_fence(0 w) =`, `
			MPI_Win_allocate starts part of world 1 needs all everybody and waits for it
			returned
			1: MPI_Win_allocate starts part of world 1 needs all everybody and waits for it
			1: returned
			MPI_Win_fence starts part of v 0 needs all everybody and waits for it
			returned
			1: MPI_Win_fence starts part of v 0 needs all everybody and waits for it
			1: returned
			1: MPI_Win_fence starts part of w 0 needs all everybody and waits for it
			1: returned`},
	})
}

func TestFiles(t *testing.T) {
	check(t, []expect{
		{"collective calls have an order on each file", `
			MPI_File_open(world name 2 info) = f
			1: MPI_File_open(world name 2 info) = f
			MPI_File_write_all(f buf 1 int) =
			1: MPI_File_write_all(f buf 1 int) =
			MPI_File_iwrite_all(f buf 1 int) = r1
			MPI_Wait(r1) = 0 0 4
			MPI_File_close(f) =`, `
			MPI_File_open starts part of world 0 needs all everybody and waits for it
			returned
			1: MPI_File_open starts part of world 0 needs all everybody and waits for it
			1: returned
			MPI_File_write_all starts part of f 0 and waits for it
			returned
			1: MPI_File_write_all starts part of f 0 and waits for it
			1: returned
			MPI_File_iwrite_all at once starts part of f 1 nonblocking
			requested
			returned
			MPI_Wait waits for part of f 2 nonblocking
			MPI_Wait at 6 got 4 bytes
			completed part of f 2 nonblocking
			returned
			MPI_File_close starts part of f 2 and waits for it
			returned`},
		{"others may take as long as they like", `
			MPI_File_open(world name 2 info) = f
			MPI_File_read(f buf 1 int) =
			MPI_File_iwrite(f buf 1 int) = r1
			MPI_Wait(r1) = 0 0 4`, `
			MPI_File_open starts part of world 0 needs all everybody and waits for it
			returned
			MPI_File_read opaque
			returned
			requested
			MPI_Wait waits for served
			MPI_Wait at 4 got 4 bytes
			completed served
			returned`},
		{"a file that is not known, and one on a communicator that is not", `
			MPI_File_write_all(strange buf 1 int) =
			MPI_File_open(world name 2 info) = f
			MPI_File_open(unknown name 2 info) = f
			MPI_File_write_all(f buf 1 int) =`, `
			MPI_File_write_all opaque
			returned
			MPI_File_open starts part of world 0 needs all everybody and waits for it
			returned
			MPI_File_open opaque
			returned
			MPI_File_write_all opaque
			returned`},
	})
}

// TestWhoHoldsALock asks for locks and what they wait for after each script.
func TestWhoHoldsALock(t *testing.T) {
	for _, c := range []struct {
		what, script string
		held         string // targets of rank 0's locks: x exclusive, s shared
		kind         waitstate.NeedKind
		exclusive    int32
	}{
		{"asked for", "MPI_Win_lock(exclusive 1 0 w)", "", waitstate.NeedUnlock, 1},
		{"given", "MPI_Win_lock(exclusive 1 0 w) =", "1 x", waitstate.NeedUnlock, 1},
		{"given to read", "MPI_Win_lock(shared 1 0 w) =", "1 s", waitstate.NeedUnlock, 0},
		{"of all targets", "MPI_Win_lock_all(0 w) =", "-1 s", waitstate.NeedUnlock, 0},
		{"until it was given back", `MPI_Win_lock(exclusive 1 0 w) =
			MPI_Win_unlock(1 w)`, "1 x", waitstate.NeedUnlock, 1},
		{"not after that", `MPI_Win_lock(exclusive 1 0 w) =
			MPI_Win_unlock(1 w) =`, "", waitstate.NeedUnlock, 1},
		{"asked for what the rank has", `MPI_Win_lock(exclusive 1 0 w) =
			MPI_Win_lock(shared 1 0 w)`, "1 x", waitstate.NeedOwnUnlock, 1},
		{"asked for more than it has", `MPI_Win_lock(shared 1 0 w) =
			MPI_Win_lock(exclusive 1 0 w)`, "1 s", waitstate.NeedOwnUnlock, 1},
		{"two shared ones exclude nobody", `MPI_Win_lock(shared 1 0 w) =
			MPI_Win_lock(shared 1 0 w)`, "1 s", waitstate.NeedUnlock, 0},
		{"of two targets", `MPI_Win_lock(exclusive 1 0 w) =
			MPI_Win_lock(shared 0 0 w) =`, "0 s 1 x", waitstate.NeedUnlock, 0},
		{"one that was refused is not held", "MPI_Win_lock(exclusive 1 0 w) fails 5", "", waitstate.NeedUnlock, 1},
		{"unlocked without a lock", "MPI_Win_unlock(1 w) =", "", waitstate.NeedUnlock, 0},
	} {
		t.Run(c.what, func(t *testing.T) {
			s := play(t, 2, afterWindow.script+"\n"+c.script)
			th := s.threads["0"]
			var held []string
			for at, lock := range th.Rank.Locks {
				if lock.Held() {
					held = append(held, fmt.Sprint(int(at.Target), " ", map[bool]string{true: "x", false: "s"}[lock.Exclusive]))
				}
			}
			slices.Sort(held)
			need, ok := th.LockWait()
			if strings.Join(held, " ") != c.held || !ok || need.Kind != c.kind || need.Tag != c.exclusive {
				t.Errorf("rank 0 holds %q, needs %v exclusive %d (%t), want %q, %v and %d", held, need.Kind, need.Tag,
					ok, c.held, c.kind, c.exclusive)
			}
			if own := need.Kind == waitstate.NeedOwnUnlock; own && need.Rank != 0 {
				t.Errorf("rank %d has to unlock, want itself", need.Rank)
			}
		})
	}
	s := play(t, 2, "MPI_Win_lock(exclusive 1 0 strange)")
	if _, ok := s.threads["0"].LockWait(); ok || len(s.threads["0"].Rank.Locks) > 0 {
		t.Errorf("a lock in a window that is not known is known")
	}
}
