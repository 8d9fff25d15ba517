package calls

import "testing"

// afterTwo: rank 0 has two receives from rank 1, r1 with tag 7 and r2 with tag 8.
var afterTwo = setting{2, `
	MPI_Irecv(buf 1 int 1 7 world) = r1
	MPI_Irecv(buf 1 int 1 8 world) = r2`, false}

func TestCompletionsOfSeveralRequests(t *testing.T) {
	afterTwo.check(t, []expect{
		{"all of them", `
			MPI_Waitall(3 [r1 none r2]) = [1 7 4 0 0 0 1 8 4]`, `
			MPI_Waitall waits for receive 0<1 tag 7 in world room for 4,
			receive 0<1 tag 8 in world room for 4 at [0 2]
			MPI_Waitall at 3 got 4 bytes
			completed receive 0<1 tag 7 in world room for 4
			matched rank 1 tag 7
			MPI_Waitall at 3 got 4 bytes
			completed receive 0<1 tag 8 in world room for 4
			matched rank 1 tag 8
			returned`},
		{"one of them", `
			MPI_Waitany(3 [r1 none r2]) = 2 1 8 4
			MPI_Wait(r1) = 1 7 4`, `
			MPI_Waitany waits for any of receive 0<1 tag 7 in world room for 4,
			receive 0<1 tag 8 in world room for 4 at [0 2]
			done: 2
			MPI_Waitany at 3 got 4 bytes
			completed receive 0<1 tag 8 in world room for 4
			matched rank 1 tag 8
			returned
			MPI_Wait waits for receive 0<1 tag 7 in world room for 4
			MPI_Wait at 4 got 4 bytes
			completed receive 0<1 tag 7 in world room for 4
			matched rank 1 tag 7
			returned`},
		{"some of them", `
			MPI_Waitsome(3 [r1 none r2]) = 2 [2 0] [1 8 4 1 7 4]`, `
			MPI_Waitsome waits for any of receive 0<1 tag 7 in world room for 4,
			receive 0<1 tag 8 in world room for 4 at [0 2]
			done: 2
			MPI_Waitsome at 3 got 4 bytes
			completed receive 0<1 tag 8 in world room for 4
			matched rank 1 tag 8
			done: 0
			MPI_Waitsome at 3 got 4 bytes
			completed receive 0<1 tag 7 in world room for 4
			matched rank 1 tag 7
			returned`},
		{"an index that is none completes nothing", `
			MPI_Waitany(2 [none none]) = undefined any anytag 0
			MPI_Waitany(2 [r1 r2]) = 2 1 7 4
			MPI_Waitsome(2 [r1 r2]) = 2 [2 -1] [1 7 4 1 8 4]`, `
			MPI_Waitany
			returned
			MPI_Waitany waits for any of receive 0<1 tag 7 in world room for 4,
			receive 0<1 tag 8 in world room for 4 at [0 1]
			returned
			MPI_Waitsome waits for any of receive 0<1 tag 7 in world room for 4,
			receive 0<1 tag 8 in world room for 4 at [0 1]
			returned`},
		{"fewer statuses than requests complete as many as there are", `
			MPI_Waitall(2 [r1 r2]) = [1 7 4]
			MPI_Waitsome(2 [r1 r2]) = 2 [1 0] [1 8 4]`, `
			MPI_Waitall waits for receive 0<1 tag 7 in world room for 4,
			receive 0<1 tag 8 in world room for 4 at [0 1]
			MPI_Waitall at 3 got 4 bytes
			completed receive 0<1 tag 7 in world room for 4
			matched rank 1 tag 7
			returned
			MPI_Waitsome waits for any of observed,
			receive 0<1 tag 8 in world room for 4 at [0 1]
			done: 1
			MPI_Waitsome at 4 got 4 bytes
			completed receive 0<1 tag 8 in world room for 4
			matched rank 1 tag 8
			returned`},
		{"nothing is known of a request that has completed", `
			MPI_Waitall(2 [r1 r2]) = [1 7 4 1 8 4]
			MPI_Wait(r1) = 1 7 4`, `
			MPI_Waitall waits for receive 0<1 tag 7 in world room for 4,
			receive 0<1 tag 8 in world room for 4 at [0 1]
			MPI_Waitall at 3 got 4 bytes
			completed receive 0<1 tag 7 in world room for 4
			matched rank 1 tag 7
			MPI_Waitall at 3 got 4 bytes
			completed receive 0<1 tag 8 in world room for 4
			matched rank 1 tag 8
			returned
			MPI_Wait waits for observed
			lost track
			returned`},
		{"which requests are complete is not known of a call that fails", `
			MPI_Waitall(3 [r1 none r2]) fails 18
			MPI_Wait(r1) = 1 7 4`, `
			MPI_Waitall waits for receive 0<1 tag 7 in world room for 4,
			receive 0<1 tag 8 in world room for 4 at [0 2]
			no order in world
			no order in world
			failed
			MPI_Wait waits for receive 0<1 tag 7 in world room for 4
			MPI_Wait at 4 got 4 bytes
			completed receive 0<1 tag 7 in world room for 4
			matched rank 1 tag 7
			returned`},
	})
}

func TestTestsThatFindSomething(t *testing.T) {
	afterTwo.check(t, []expect{
		{"one request", `
			MPI_Test(r1) = 0 0 0 0
			MPI_Test(r1) = 1 1 7 4`, `
			MPI_Test asks for 1 of 1 requests
			missed 1 from choice 0 on
			MPI_Test asks for 1 of 1 requests
			found what at once waits for receive 0<1 tag 7 in world room for 4 at [0]
			MPI_Test at 4 got 4 bytes
			completed receive 0<1 tag 7 in world room for 4
			matched rank 1 tag 7`},
		{"all", `
			MPI_Testall(2 [r1 r2]) = 0 []
			MPI_Testall(2 [r1 r2]) = 1 [1 7 4 1 8 4]`, `
			MPI_Testall asks for 2 of 2 requests
			missed 1 from choice 0 on
			MPI_Testall asks for 2 of 2 requests
			found what at once waits for receive 0<1 tag 7 in world room for 4,
			receive 0<1 tag 8 in world room for 4 at [0 1]
			MPI_Testall at 4 got 4 bytes
			completed receive 0<1 tag 7 in world room for 4
			matched rank 1 tag 7
			MPI_Testall at 4 got 4 bytes
			completed receive 0<1 tag 8 in world room for 4
			matched rank 1 tag 8`},
		{"one of several", `
			MPI_Testany(2 [r1 r2]) = 0 0 0 0 0
			MPI_Testany(2 [r1 r2]) = 1 1 1 8 4`, `
			MPI_Testany asks for 2 of 2 requests
			missed 1 from choice 0 on
			MPI_Testany asks for 2 of 2 requests
			found what at once waits for any of receive 0<1 tag 7 in world room for 4,
			receive 0<1 tag 8 in world room for 4 at [0 1]
			done: 1
			MPI_Testany at 4 got 4 bytes
			completed receive 0<1 tag 8 in world room for 4
			matched rank 1 tag 8`},
		{"some", `
			MPI_Testsome(2 [r1 r2]) = 0 [] []
			MPI_Testsome(2 [r1 r2]) = 1 [1] [1 8 4]`, `
			MPI_Testsome asks for 2 of 2 requests
			missed 1 from choice 0 on
			MPI_Testsome asks for 2 of 2 requests
			found what at once waits for any of receive 0<1 tag 7 in world room for 4,
			receive 0<1 tag 8 in world room for 4 at [0 1]
			done: 1
			MPI_Testsome at 4 got 4 bytes
			completed receive 0<1 tag 8 in world room for 4
			matched rank 1 tag 8`},
		{"without any request there is nothing to find, and MPI says that it is complete", `
			MPI_Test(none) = 1 any anytag 0
			MPI_Testany(1 [none]) = undefined 1 any anytag 0
			MPI_Testsome(1 [none]) = undefined [] []`, `
			MPI_Test asks for 0 of 1 requests
			MPI_Testany asks for 0 of 1 requests
			MPI_Testsome asks for 0 of 1 requests`},
		{"a status without the completion leaves the request", `
			MPI_Request_get_status(r1) = 0 0 0 0
			MPI_Request_get_status(r1) = 1 1 7 4
			MPI_Wait(r1) = 1 7 4`, `
			MPI_Request_get_status asks for 1 of 1 requests
			MPI_Request_get_status asks for 1 of 1 requests
			found what at once waits for receive 0<1 tag 7 in world room for 4 at [0]
			completed receive 0<1 tag 7 in world room for 4
			matched rank 1 tag 7
			MPI_Wait waits for receive 0<1 tag 7 in world room for 4
			MPI_Wait at 5 got 4 bytes
			completed receive 0<1 tag 7 in world room for 4
			matched rank 1 tag 7
			returned`},
		{"statuses of several", `
			MPI_Request_get_status_all(2 [r1 r2]) = 1 [1 7 4 1 8 4]
			MPI_Request_get_status_any(2 [r1 r2]) = 1 1 1 8 4
			MPI_Request_get_status_some(2 [r1 r2]) = 1 [0] [1 7 4]
			MPI_Waitall(2 [r1 r2]) = [1 7 4 1 8 4]`, `
			MPI_Request_get_status_all asks for 2 of 2 requests
			found what at once waits for receive 0<1 tag 7 in world room for 4,
			receive 0<1 tag 8 in world room for 4 at [0 1]
			completed receive 0<1 tag 7 in world room for 4
			matched rank 1 tag 7
			completed receive 0<1 tag 8 in world room for 4
			matched rank 1 tag 8
			MPI_Request_get_status_any asks for 2 of 2 requests
			found what at once waits for any of receive 0<1 tag 7 in world room for 4,
			receive 0<1 tag 8 in world room for 4 at [0 1]
			done: 1
			completed receive 0<1 tag 8 in world room for 4
			matched rank 1 tag 8
			MPI_Request_get_status_some asks for 2 of 2 requests
			found what at once waits for any of receive 0<1 tag 7 in world room for 4,
			receive 0<1 tag 8 in world room for 4 at [0 1]
			done: 0
			completed receive 0<1 tag 7 in world room for 4
			matched rank 1 tag 7
			MPI_Waitall waits for receive 0<1 tag 7 in world room for 4,
			receive 0<1 tag 8 in world room for 4 at [0 1]
			MPI_Waitall at 6 got 4 bytes
			completed receive 0<1 tag 7 in world room for 4
			matched rank 1 tag 7
			MPI_Waitall at 6 got 4 bytes
			completed receive 0<1 tag 8 in world room for 4
			matched rank 1 tag 8
			returned`},
		{"a request of which nothing is known", `
			MPI_Test(strange) = 1 1 7 4`, `
			MPI_Test asks for 0 of 1 requests
			found what at once waits for observed at [0]
			lost track`},
		{"polls that the probe has not recorded one by one", `
			MPI_Test(r1)
			- Polled 40
			MPI_Test(…) = 0 0 0 0
			MPI_Test(r1)
			- Polled 7
			MPI_Test(…) = 1 1 7 4
			MPI_Waitany(1 [r2]) = 0 1 8 4
			MPI_Test(none) = 1 0 0 0`, `
			MPI_Test asks for 1 of 1 requests
			missed 41 from choice 0 on
			MPI_Test asks for 1 of 1 requests
			missed 7 from choice 41 on
			found what at once waits for receive 0<1 tag 7 in world room for 4 at [0]
			MPI_Test at 6 got 4 bytes
			completed receive 0<1 tag 7 in world room for 4
			matched rank 1 tag 7
			MPI_Waitany waits for any of receive 0<1 tag 8 in world room for 4 at [0]
			done: 0
			MPI_Waitany at 9 got 4 bytes
			completed receive 0<1 tag 8 in world room for 4
			matched rank 1 tag 8
			returned
			MPI_Test asks for 0 of 1 requests`},
		{"a poll that has not returned is counted when something follows", `
			MPI_Test(r1)
			MPI_Test(r1)
			- Polled 3
			MPI_Barrier(world) =`, `
			MPI_Test asks for 1 of 1 requests
			missed 1 from choice 0 on
			MPI_Test asks for 1 of 1 requests
			missed 3 from choice 1 on
			MPI_Barrier starts part of world 0 needs all everybody and waits for it
			returned`},
	})
}

func TestRequestsThatAreGivenUp(t *testing.T) {
	afterTwo.check(t, []expect{
		{"a receive that was cancelled matches nothing", `
			MPI_Cancel(r1) =
			MPI_Wait(r1) = any anytag -2`, `
			MPI_Wait waits for receive 0<1 tag 7 in world room for 4
			MPI_Wait at 4 got -2 bytes
			completed receive 0<1 tag 7 in world room for 4
			gone: receive 0<1 tag 7 in world room for 4
			returned`},
		{"one that was not in time has matched", `
			MPI_Cancel(r1) =
			MPI_Wait(r1) = 1 7 4`, `
			MPI_Wait waits for receive 0<1 tag 7 in world room for 4
			MPI_Wait at 4 got 4 bytes
			completed receive 0<1 tag 7 in world room for 4
			matched rank 1 tag 7
			returned`},
		{"nobody has asked to cancel it: the mark of the status means nothing", `
			MPI_Wait(r1) = 1 7 -2`, `
			MPI_Wait waits for receive 0<1 tag 7 in world room for 4
			MPI_Wait at 3 got -2 bytes
			completed receive 0<1 tag 7 in world room for 4
			matched rank 1 tag 7
			returned`},
		{"a request that is freed is no longer known", `
			MPI_Request_free(r1) =
			MPI_Wait(r1) = 1 7 4`, `
			MPI_Wait waits for observed
			lost track
			returned`},
		{"a receive that was to be cancelled may be cancelled unseen when its request is freed", `
			MPI_Cancel(r1) =
			MPI_Request_free(r1) =`, `
			gone: receive 0<1 tag 7 in world room for 4`},
		{"not if it has matched", `
			1: MPI_Send(buf 1 int 0 7 world) =
			MPI_Cancel(r1) =
			MPI_Request_free(r1) =`, `
			1: MPI_Send starts send 1>0 tag 7 in world 4 bytes and waits for it
			1: returned`},
		{"nothing happens to a request that is not known", `
			MPI_Cancel(strange) =
			MPI_Request_free(strange) =`, ``},
	})
}

func TestRequestsThatOtherCallsMake(t *testing.T) {
	check(t, []expect{
		{"two requests with one handle cannot be distinguished", `
			MPI_Isend(buf 1 int 1 7 world) = r1
			MPI_Isend(buf 1 int 1 8 world) = r1
			MPI_Wait(r1) = 0 0 0
			MPI_Test(r1) = 1 0 0 0`, `
			MPI_Isend at once starts send 0>1 tag 7 in world 4 bytes
			requested
			returned
			MPI_Isend at once starts send 0>1 tag 8 in world 4 bytes number 1
			requested
			returned
			MPI_Wait waits for send 0>1 tag 7 in world 4 bytes unclear
			MPI_Wait at 3 got -1 bytes
			completed send 0>1 tag 7 in world 4 bytes unclear
			returned
			MPI_Test asks for 1 of 1 requests
			found what at once waits for send 0>1 tag 8 in world 4 bytes unclear number 1 at [0]
			MPI_Test at 4 got -1 bytes
			completed send 0>1 tag 8 in world 4 bytes unclear number 1`},
		{"MPI gives no request for what is complete at once", `
			MPI_Isend(buf 1 int nobody 7 world) = none
			MPI_Wait(none) = any anytag 0`, `
			MPI_Isend at once starts served
			returned
			MPI_Wait
			returned`},
		{"a request that the program completes itself", `
			MPI_Grequest_start() = r1
			MPI_Wait(r1) = 0 0 0`, `
			requested
			MPI_Wait waits for observed
			MPI_Wait at 2 got 0 bytes
			completed observed
			returned`},
		{"one for messages in the buffer", `
			MPI_Buffer_iflush() = r1
			MPI_Wait(r1) = 0 0 0`, `
			requested
			MPI_Wait waits for observed
			MPI_Wait at 2 got 0 bytes
			completed observed
			returned`},
		{"those of files and windows are complete from the beginning", `
			MPI_File_iwrite(file buf 1 int) = r1
			MPI_Rput(buf 1 int 1 0 1 int strange) = r2
			MPI_Waitall(2 [r1 r2]) = [0 0 0 0 0 0]`, `
			requested
			requested
			MPI_Waitall waits for served,
			served at [0 1]
			MPI_Waitall at 3 got 0 bytes
			completed served
			MPI_Waitall at 3 got 0 bytes
			completed served
			returned`},
	})
}

func TestPersistentRequests(t *testing.T) {
	check(t, []expect{
		{"each start is a send", `
			MPI_Send_init(buf 1 int 1 5 world) = r1
			MPI_Start(r1) =
			MPI_Wait(r1) = 0 0 0
			MPI_Wait(r1) = any anytag 0
			MPI_Start(r1) =
			MPI_Test(r1) = 1 0 0 0`, `
			requested persistent idle
			restarted
			MPI_Start at once starts send 0>1 tag 5 in world 4 bytes
			returned
			MPI_Wait waits for send 0>1 tag 5 in world 4 bytes
			MPI_Wait at 3 got 0 bytes
			completed send 0>1 tag 5 in world 4 bytes
			returned
			MPI_Wait
			returned
			restarted
			MPI_Start at once starts send 0>1 tag 5 in world 4 bytes number 1
			returned
			MPI_Test asks for 1 of 1 requests
			found what at once waits for send 0>1 tag 5 in world 4 bytes number 1 at [0]
			MPI_Test at 6 got 0 bytes
			completed send 0>1 tag 5 in world 4 bytes number 1`},
		{"starts of standard sends and of receives from any source are numbered", `
			MPI_Send_init(buf 1 int 1 5 world) = r1
			MPI_Ssend_init(buf 1 int 1 5 world) = r2
			MPI_Rsend_init(buf 1 int 1 5 world) = r3
			MPI_Bsend_init(buf 1 int 1 5 world) = r4
			MPI_Recv_init(buf 1 int any 5 world) = r5
			MPI_Recv_init(buf 1 int 1 anytag world) = r6
			MPI_Startall(6 [r1 r2 r3 r4 r5 r6]) =
			MPI_Waitall(6 [r1 r2 r3 r4 r5 r6]) = [0 0 0 0 0 0 0 0 0 0 0 0 1 5 4 1 6 4]
			MPI_Startall(3 [r3 r5 r1]) =`, `
			requested persistent idle
			requested persistent idle
			requested persistent idle
			requested persistent idle
			requested persistent idle
			requested persistent idle
			restarted
			restarted
			restarted
			restarted
			restarted
			restarted
			MPI_Startall at once starts send 0>1 tag 5 in world 4 bytes,
			send 0>1 tag 5 in world 4 bytes synchronous,
			send 0>1 tag 5 in world 4 bytes ready number 1,
			send 0>1 tag 5 in world 4 bytes buffered,
			receive 0<any tag 5 in world wild room for 4,
			receive 0<1 tag any in world room for 4
			returned
			MPI_Waitall waits for send 0>1 tag 5 in world 4 bytes,
			send 0>1 tag 5 in world 4 bytes synchronous,
			send 0>1 tag 5 in world 4 bytes ready number 1,
			send 0>1 tag 5 in world 4 bytes buffered,
			receive 0<any tag 5 in world wild room for 4,
			receive 0<1 tag any in world room for 4 at [0 1 2 3 4 5]
			MPI_Waitall at 8 got 0 bytes
			completed send 0>1 tag 5 in world 4 bytes
			MPI_Waitall at 8 got 0 bytes
			completed send 0>1 tag 5 in world 4 bytes synchronous
			MPI_Waitall at 8 got 0 bytes
			completed send 0>1 tag 5 in world 4 bytes ready number 1
			MPI_Waitall at 8 got 0 bytes
			completed send 0>1 tag 5 in world 4 bytes buffered
			MPI_Waitall at 8 got 4 bytes
			completed receive 0<any tag 5 in world wild room for 4
			matched rank 1 tag 5
			MPI_Waitall at 8 got 4 bytes
			completed receive 0<1 tag any in world room for 4
			matched rank 1 tag 6
			returned
			restarted
			restarted
			restarted
			MPI_Startall at once starts send 0>1 tag 5 in world 4 bytes ready number 2,
			receive 0<any tag 5 in world wild room for 4 number 1,
			send 0>1 tag 5 in world 4 bytes number 3
			returned`},
		{"one that was freed is not known any more, and one that nobody made never was", `
			MPI_Send_init(buf 1 int 1 5 world) = r1
			MPI_Request_free(r1) =
			MPI_Start(r1) =
			MPI_Start(strange) =`, `
			requested persistent idle
			lost track
			no order in self
			no order in world
			MPI_Start at once
			returned
			MPI_Start at once
			returned`},
		{"a request that is no persistent one is not started", `
			MPI_Irecv(buf 1 int 1 5 world) = r1
			MPI_Start(r1) =`, `
			MPI_Irecv at once starts receive 0<1 tag 5 in world room for 4
			requested
			returned
			MPI_Start at once
			returned`},
		{"on a communicator that is not known a start is followed by what is observed", `
			MPI_Recv_init(buf 1 int any 5 strange) = r1
			MPI_Start(r1) =
			MPI_Wait(r1) = 1 5 4`, `
			requested persistent idle
			restarted
			MPI_Start at once starts observed
			returned
			MPI_Wait waits for observed
			MPI_Wait at 3 got 4 bytes
			completed observed
			returned`},
		{"a receive that was cancelled can be started again", `
			MPI_Recv_init(buf 1 int 1 5 world) = r1
			MPI_Start(r1) =
			MPI_Cancel(r1) =
			MPI_Wait(r1) = any anytag -2
			MPI_Start(r1) =
			MPI_Wait(r1) = 1 5 -2`, `
			requested persistent idle
			restarted
			MPI_Start at once starts receive 0<1 tag 5 in world room for 4
			returned
			MPI_Wait waits for receive 0<1 tag 5 in world room for 4
			MPI_Wait at 4 got -2 bytes
			completed receive 0<1 tag 5 in world room for 4
			gone: receive 0<1 tag 5 in world room for 4
			returned
			restarted
			MPI_Start at once starts receive 0<1 tag 5 in world room for 4
			returned
			MPI_Wait waits for receive 0<1 tag 5 in world room for 4
			MPI_Wait at 6 got -2 bytes
			completed receive 0<1 tag 5 in world room for 4
			matched rank 1 tag 5
			returned`},
		{"a poll for one that was not started asks for nothing", `
			MPI_Recv_init(buf 1 int 1 5 world) = r1
			MPI_Test(r1) = 1 any anytag 0
			MPI_Waitany(1 [r1]) = undefined any anytag 0`, `
			requested persistent idle
			MPI_Test asks for 1 of 1 requests
			MPI_Waitany
			returned`},
		{"persistent collectives match by the order in which they were made", `
			MPI_Barrier_init(world info) = r1
			MPI_Bcast_init(buf 2 int 1 world info) = r2
			1: MPI_Barrier_init(world info) = r1
			MPI_Start(r2) =
			MPI_Start(r1) =
			1: MPI_Start(r1) =
			MPI_Waitall(2 [r1 r2]) = [0 0 0 0 0 0]
			MPI_Start(r1) =`, `
			requested persistent idle
			requested persistent idle
			1: requested persistent idle
			restarted
			MPI_Start at once starts part of context 1 0 root 1 needs the root
			returned
			restarted
			MPI_Start at once starts part of context 2 0 needs all everybody
			returned
			1: restarted
			1: MPI_Start at once starts part of context 2 0 needs all everybody
			1: returned
			MPI_Waitall waits for part of context 2 1 needs all everybody,
			part of context 1 1 root 1 needs the root at [0 1]
			MPI_Waitall at 7 got 0 bytes
			completed part of context 2 1 needs all everybody
			MPI_Waitall at 7 got 0 bytes
			completed part of context 1 1 root 1 needs the root
			returned
			restarted
			MPI_Start at once starts part of context 2 1 needs all everybody
			returned`},
		{"also on a communicator that is not known", `
			MPI_Barrier_init(strange info) = r1
			MPI_Start(r1) =
			MPI_Wait(r1) = 0 0 0`, `
			requested persistent idle
			restarted
			MPI_Start at once starts observed
			returned
			MPI_Wait waits for observed
			MPI_Wait at 3 got 0 bytes
			completed observed
			returned`},
	})
}

func TestPartitionedMessages(t *testing.T) {
	check(t, []expect{
		{"the message is sent when the last partition is ready", `
			MPI_Psend_init(buf 4 2 int 1 5 world info) = r1
			MPI_Start(r1) =
			MPI_Pready(2 r1) =
			MPI_Pready_range(0 1 r1) =
			MPI_Pready_list(1 [3] r1) =
			MPI_Wait(r1) = 0 0 0`, `
			requested persistent idle
			restarted
			MPI_Start at once starts send 0>1 tag 5 in context 1 32 bytes held
			returned
			MPI_Pready at once
			returned
			MPI_Pready_range at once
			returned
			MPI_Pready_list at once starts send 0>1 tag 5 in context 1 32 bytes
			returned
			MPI_Wait waits for send 0>1 tag 5 in context 1 32 bytes
			MPI_Wait at 6 got 0 bytes
			completed send 0>1 tag 5 in context 1 32 bytes
			returned`},
		{"again after each start", `
			MPI_Psend_init(buf 2 2 int 1 5 world info) = r1
			MPI_Start(r1) =
			MPI_Pready_range(0 1 r1) =
			MPI_Wait(r1) = 0 0 0
			MPI_Start(r1) =
			MPI_Pready(0 r1) =
			MPI_Pready(1 r1) =`, `
			requested persistent idle
			restarted
			MPI_Start at once starts send 0>1 tag 5 in context 1 16 bytes held
			returned
			MPI_Pready_range at once starts send 0>1 tag 5 in context 1 16 bytes
			returned
			MPI_Wait waits for send 0>1 tag 5 in context 1 16 bytes
			MPI_Wait at 4 got 0 bytes
			completed send 0>1 tag 5 in context 1 16 bytes
			returned
			restarted
			MPI_Start at once starts send 0>1 tag 5 in context 1 16 bytes held
			returned
			MPI_Pready at once
			returned
			MPI_Pready at once starts send 0>1 tag 5 in context 1 16 bytes
			returned`},
		{"without partitions at once", `
			MPI_Psend_init(buf 0 2 int 1 5 world info) = r1
			MPI_Start(r1) =`, `
			requested persistent idle
			restarted
			MPI_Start at once starts send 0>1 tag 5 in context 1 0 bytes
			returned`},
		{"the receive has room for all of them", `
			MPI_Precv_init(buf 4 2 int 1 5 world info) = r1
			MPI_Start(r1) =
			MPI_Parrived(r1 2) = 0
			MPI_Parrived(r1 2) = 1
			MPI_Wait(r1) = 1 5 32`, `
			requested persistent idle
			restarted
			MPI_Start at once starts receive 0<1 tag 5 in context 1 room for 32
			returned
			MPI_Wait waits for receive 0<1 tag 5 in context 1 room for 32
			MPI_Wait at 5 got 32 bytes
			completed receive 0<1 tag 5 in context 1 room for 32
			matched rank 1 tag 5
			returned`},
		{"they match other partitioned messages only, in the order in which they were made", `
			MPI_Psend_init(buf 1 1 int 1 5 world info) = r1
			MPI_Psend_init(buf 1 1 int 1 5 world info) = r2
			1: MPI_Precv_init(buf 1 1 int 0 5 world info) = r1
			1: MPI_Precv_init(buf 1 1 int 0 5 world info) = r2
			MPI_Startall(2 [r2 r1]) =
			1: MPI_Startall(2 [r1 r2]) =`, `
			requested persistent idle
			requested persistent idle
			1: requested persistent idle
			1: requested persistent idle
			restarted
			restarted
			MPI_Startall at once starts send 0>1 tag 5 in context 1 4 bytes held,
			send 0>1 tag 5 in context 2 4 bytes held
			returned
			1: restarted
			1: restarted
			1: MPI_Startall at once starts receive 1<0 tag 5 in context 2 room for 4,
			receive 1<0 tag 5 in context 1 room for 4
			1: returned`},
		{"to nobody there is nothing to hold back", `
			MPI_Psend_init(buf 1 1 int nobody 5 world info) = r1
			MPI_Start(r1) =
			MPI_Pready(0 r1) =`, `
			requested persistent idle
			restarted
			MPI_Start at once starts served
			returned
			MPI_Pready at once
			returned`},
		{"what is ready of requests that have no partitions, or are not known, starts nothing", `
			MPI_Send_init(buf 1 int 1 5 world) = r1
			MPI_Start(r1) =
			MPI_Pready(0 r1) =
			MPI_Pready(0 strange) =
			MPI_Psend_init(buf 1 1 int 1 5 world info) = r2
			MPI_Pready(0 r2) =`, `
			requested persistent idle
			restarted
			MPI_Start at once starts send 0>1 tag 5 in world 4 bytes
			returned
			MPI_Pready at once
			returned
			MPI_Pready at once
			returned
			requested persistent idle
			MPI_Pready at once
			returned`},
	})
}
