package calls

import "testing"

// TestAPlanDecides: what a plan makes of calls is followed, and the program's own call is what is written down.
func TestAPlanDecides(t *testing.T) {
	check(t, []expect{
		{"from whom a receive gets its message", `
			- Forced 0 1 7
			MPI_Recv(buf 1 int any anytag world) = 1 7 4
			- Forced 0 1 anytag
			MPI_Probe(any 7 world) = 1 7 4
			MPI_Recv(buf 1 int any 7 world) = 1 7 4`, `
			MPI_Recv starts receive 0<any tag any in world wild room for 4 forced from 1 tag 7 and waits for it
			matched rank 1 tag 7
			returned
			MPI_Probe starts probe 0<any tag 7 in world wild number 1 forced from 1 tag -1 and waits for it
			matched rank 1 tag 7
			returned
			MPI_Recv starts receive 0<any tag 7 in world wild room for 4 number 2 and waits for it
			matched rank 1 tag 7
			returned`},
		{"of persistent receives that are started together each has a place", `
			MPI_Recv_init(buf 1 int any 5 world) = r1
			MPI_Recv_init(buf 1 int any 5 world) = r2
			MPI_Recv_init(buf 1 int 1 5 world) = r3
			- Forced 1 1 5
			- Forced 2 1 5
			MPI_Startall(3 [r1 r2 r3]) =`, `
			requested persistent idle
			requested persistent idle
			requested persistent idle
			restarted
			restarted
			restarted
			MPI_Startall at once starts receive 0<any tag 5 in world wild room for 4,
			receive 0<any tag 5 in world wild room for 4 number 1 forced from 1 tag 5,
			receive 0<1 tag 5 in world room for 4
			returned`},
		{"that a send completes at once", `
			- Buffered 0
			MPI_Send(buf 1 int 1 5 world) =
			- Buffered 0
			MPI_Sendrecv(buf 1 int 1 5 buf 1 int 1 6 world) = 1 6 4
			MPI_Send(buf 1 int 1 5 world) =`, `
			MPI_Send starts send 0>1 tag 5 in world 4 bytes and waits for it
			entered as starts send 0>1 tag 5 in world 4 bytes buffered and waits for it
			returned
			MPI_Sendrecv starts send 0>1 tag 5 in world 4 bytes number 1,
			receive 0<1 tag 6 in world room for 4 and waits for it
			entered as starts send 0>1 tag 5 in world 4 bytes buffered number 1,
			receive 0<1 tag 6 in world room for 4 and waits for it
			matched rank 1 tag 6
			returned
			MPI_Send starts send 0>1 tag 5 in world 4 bytes number 2 and waits for it
			returned`},
		{"which of the sends that are started together", `
			MPI_Send_init(buf 1 int 1 5 world) = r1
			MPI_Send_init(buf 1 int 1 6 world) = r2
			MPI_Recv_init(buf 1 int 1 7 world) = r3
			- Buffered 1
			- Buffered 2
			- Buffered 3
			MPI_Startall(3 [r1 r2 r3]) =`, `
			requested persistent idle
			requested persistent idle
			requested persistent idle
			restarted
			restarted
			restarted
			MPI_Startall at once starts send 0>1 tag 5 in world 4 bytes,
			send 0>1 tag 6 in world 4 bytes number 1,
			receive 0<1 tag 7 in world room for 4
			entered as at once starts send 0>1 tag 5 in world 4 bytes,
			send 0>1 tag 6 in world 4 bytes buffered number 1,
			receive 0<1 tag 7 in world room for 4
			returned`},
		{"that a persistent request gets another handle", `
			MPI_Send_init(buf 1 int 1 5 world) = r1
			- Remade r1 r2
			MPI_Start(r2) =
			MPI_Start(r1) =
			- Remade strange r1`, `
			requested persistent idle
			restarted
			MPI_Start at once starts send 0>1 tag 5 in world 4 bytes
			returned
			lost track
			no order in self
			no order in world
			MPI_Start at once
			returned`},
	})
	afterTwo.check(t, []expect{
		{"that a test waits", `
			- Outcome 0
			MPI_Test(r1) = 1 1 7 4
			MPI_Test(r2) = 0 0 0 0`, `
			MPI_Test waits for receive 0<1 tag 7 in world room for 4
			MPI_Test at 4 got 4 bytes
			completed receive 0<1 tag 7 in world room for 4
			matched rank 1 tag 7
			returned
			MPI_Test asks for 1 of 1 requests
			missed 1 from choice 1 on`},
		{"that one of several is awaited", `
			- Outcome 1 1
			MPI_Testany(2 [r1 r2]) = 1 1 1 8 4`, `
			MPI_Testany waits for any of receive 0<1 tag 7 in world room for 4,
			receive 0<1 tag 8 in world room for 4 at [0 1]
			entered as waits for receive 0<1 tag 8 in world room for 4 at [1]
			done: 1
			MPI_Testany at 4 got 4 bytes
			completed receive 0<1 tag 8 in world room for 4
			matched rank 1 tag 8
			returned`},
		{"that some of several are", `
			- Outcome 2 0 1
			MPI_Testsome(2 [r1 r2]) = 2 [0 1] [1 7 4 1 8 4]`, `
			MPI_Testsome waits for any of receive 0<1 tag 7 in world room for 4,
			receive 0<1 tag 8 in world room for 4 at [0 1]
			entered as waits for receive 0<1 tag 7 in world room for 4,
			receive 0<1 tag 8 in world room for 4 at [0 1]
			done: 0
			MPI_Testsome at 4 got 4 bytes
			completed receive 0<1 tag 7 in world room for 4
			matched rank 1 tag 7
			done: 1
			MPI_Testsome at 4 got 4 bytes
			completed receive 0<1 tag 8 in world room for 4
			matched rank 1 tag 8
			returned`},
		{"that all are that would be awaited", `
			- Outcome 0
			MPI_Waitsome(2 [r1 r2]) = 2 [0 1] [1 7 4 1 8 4]`, `
			MPI_Waitsome waits for any of receive 0<1 tag 7 in world room for 4,
			receive 0<1 tag 8 in world room for 4 at [0 1]
			entered as waits for receive 0<1 tag 7 in world room for 4,
			receive 0<1 tag 8 in world room for 4 at [0 1]
			done: 0
			MPI_Waitsome at 4 got 4 bytes
			completed receive 0<1 tag 7 in world room for 4
			matched rank 1 tag 7
			done: 1
			MPI_Waitsome at 4 got 4 bytes
			completed receive 0<1 tag 8 in world room for 4
			matched rank 1 tag 8
			returned`},
		{"that any is", `
			- Outcome 0
			MPI_Testany(2 [r1 r2]) = 0 1 1 7 4`, `
			MPI_Testany waits for any of receive 0<1 tag 7 in world room for 4,
			receive 0<1 tag 8 in world room for 4 at [0 1]
			done: 0
			MPI_Testany at 4 got 4 bytes
			completed receive 0<1 tag 7 in world room for 4
			matched rank 1 tag 7
			returned`},
		{"nothing where what it names is not awaited", `
			- Outcome 1 5
			MPI_Waitany(2 [r1 r2]) = 0 1 7 4`, `
			MPI_Waitany waits for any of receive 0<1 tag 7 in world room for 4,
			receive 0<1 tag 8 in world room for 4 at [0 1]
			done: 0
			MPI_Waitany at 4 got 4 bytes
			completed receive 0<1 tag 7 in world room for 4
			matched rank 1 tag 7
			returned`},
		{"that all are awaited of a test for all", `
			- Outcome 0
			MPI_Testall(2 [r1 r2]) = 1 [1 7 4 1 8 4]`, `
			MPI_Testall waits for receive 0<1 tag 7 in world room for 4,
			receive 0<1 tag 8 in world room for 4 at [0 1]
			MPI_Testall at 4 got 4 bytes
			completed receive 0<1 tag 7 in world room for 4
			matched rank 1 tag 7
			MPI_Testall at 4 got 4 bytes
			completed receive 0<1 tag 8 in world room for 4
			matched rank 1 tag 8
			returned`},
		{"that a probe waits", `
			- Outcome 0
			MPI_Iprobe(any 9 world) = 1 1 9 4
			- Outcome 0
			MPI_Improbe(1 9 world) = 1 m1 1 9 4
			MPI_Mrecv(buf 2 int m1) = 1 9 4`, `
			MPI_Iprobe starts probe 0<any tag 9 in world wild and waits for it
			matched rank 1 tag 9
			returned
			MPI_Improbe starts receive 0<1 tag 9 in world matched probe and waits for it
			matched rank 1 tag 9
			returned`},
	})
}

// TestChoicesAreNumbered: by the calls alone, as the probe does.
func TestChoicesAreNumbered(t *testing.T) {
	for _, c := range []struct {
		script     string
		last, next uint32
		polling    bool
	}{
		{"", 0, 0, false},
		{"MPI_Barrier(world) =", 0, 0, false},
		{"MPI_Waitany(1 [none]) = undefined 0 0 0", 0, 1, false},
		{`MPI_Waitany(1 [none]) = undefined 0 0 0
			MPI_Waitsome(1 [none]) = undefined [] []`, 1, 2, false},
		{"MPI_Iprobe(1 7 world)", 0, 0, true},
		{"MPI_Iprobe(1 7 world) = 0 0 0 0", 0, 1, false},
		{"MPI_Iprobe(1 7 world) = 1 1 7 4", 0, 1, false},
		{"MPI_Iprobe(1 7 world) fails 5", 0, 1, false},
		{`MPI_Iprobe(1 7 world)
			- Polled 6
			MPI_Iprobe(…) = 1 1 7 4`, 6, 7, false},
		{`- Outcome 0
			MPI_Iprobe(1 7 world)`, 0, 1, false},
		{`MPI_Iprobe(1 7 world)
			MPI_Barrier(world)`, 0, 1, false},
		{`MPI_Test(none) = 1 0 0 0
			MPI_Testsome(1 [none]) = 0 [] []
			MPI_Testsome(1 [none]) = undefined [] []`, 2, 3, false},
		{"MPI_Request_get_status(none) = 0 0 0 0", 0, 0, false},
	} {
		s := play(t, 2, c.script)
		th := s.threads["0"]
		if th.Choice() != c.last || th.Counts().Choices != c.next || th.Polling() != c.polling {
			t.Errorf("%s\nthe last choice is %d of %d, polling %t, want %d of %d, %t", c.script, th.Choice(),
				th.Counts().Choices, th.Polling(), c.last, c.next, c.polling)
		}
	}
}

// TestTheLastPollIsCountedAtTheEnd: no call follows that would say that it found nothing.
func TestTheLastPollIsCountedAtTheEnd(t *testing.T) {
	const poll = "MPI_Iprobe(1 7 world)"
	for _, c := range []struct {
		script   string
		returned uint32 // the stamp of the last call that has returned
		left     uint64 // polls that were left out after it
		want     string
	}{
		{poll, 1, 0, "missed 1 from choice 0 on"},
		{poll, 1, 4, "missed 5 from choice 0 on"},
		{poll, 0, 0, ""}, // it has not come back
		{poll + "\n- Polled 9", 0, 0, "missed 9 from choice 0 on"},
		{poll + " = 0 0 0 0", 1, 4, ""},
		{poll + "\n- ThreadEnd", 1, 4, ""},
	} {
		s := play(t, 2, c.script)
		s.list = nil
		for range 2 {
			s.a.SettleLast(s.threads["0"], c.returned, c.left)
		}
		s.gave(c.want)
	}
}
