package calls

import "testing"

func TestSends(t *testing.T) {
	check(t, []expect{
		{"a send counts as standard whatever it sends to, other modes do not", `
			MPI_Send(buf 3 int 1 5 world) =
			MPI_Ssend(buf 0 int 1 5 world) =
			MPI_Bsend(buf 2 double 1 5 world) =
			MPI_Rsend(buf 1 int 1 5 world) =
			MPI_Send(buf 1 int nobody 5 world) =
			MPI_Send(buf 1 int 1 5 world) =`, `
			MPI_Send starts send 0>1 tag 5 in world 12 bytes and waits for it
			returned
			MPI_Ssend starts send 0>1 tag 5 in world 0 bytes synchronous and waits for it
			returned
			MPI_Bsend starts send 0>1 tag 5 in world 16 bytes buffered and waits for it
			returned
			MPI_Rsend starts send 0>1 tag 5 in world 4 bytes ready number 1 and waits for it
			returned
			MPI_Send starts served and waits for it
			returned
			MPI_Send starts send 0>1 tag 5 in world 4 bytes number 3 and waits for it
			returned`},
		{"the size of a send is not known with a datatype that is not known", `
			MPI_Send(buf 3 strange 1 5 world) =`, `
			MPI_Send starts send 0>1 tag 5 in world and waits for it
			returned`},
		{"a rank outside of the communicator is followed by what is observed", `
			MPI_Send(buf 1 int 7 5 world) =
			MPI_Send(buf 1 int -7 5 world) =`, `
			MPI_Send starts observed and waits for it
			returned
			MPI_Send starts observed and waits for it
			returned`},
		{"a call on a communicator that is not known blocks for unknown reasons, if it blocks", `
			MPI_Send(buf 1 int 1 5 strange) =
			MPI_Isend(buf 1 int 1 5 strange) = r1
			MPI_Wait(r1) = 0 0 0`, `
			MPI_Send opaque
			returned
			requested
			MPI_Wait waits for observed
			MPI_Wait at 3 got 0 bytes
			completed observed
			returned`},
		{"so does one on a communicator with processes of another world", `
			- comm dup 0 -1
			MPI_Send(buf 1 int 1 5 dup) =
			MPI_Recv(buf 1 int 1 5 dup) = 1 5 4`, `
			dup: foreign [0 -4] topology 0
			MPI_Send opaque
			returned
			MPI_Recv opaque
			returned`},
		{"a request of a ready send", `
			MPI_Irsend(buf 1 int 1 5 world) = r1
			MPI_Wait(r1) = 0 0 0`, `
			MPI_Irsend at once starts send 0>1 tag 5 in world 4 bytes ready
			requested
			returned
			MPI_Wait waits for send 0>1 tag 5 in world 4 bytes ready
			MPI_Wait at 2 got 0 bytes
			completed send 0>1 tag 5 in world 4 bytes ready
			returned`},
		{"a send that fails is taken back, as its message is not on its way", `
			MPI_Send(buf 1 int 1 5 world) fails 15`, `
			MPI_Send starts send 0>1 tag 5 in world 4 bytes and waits for it
			no order in world
			no order in world
			gone: send 0>1 tag 5 in world 4 bytes
			failed`},
		{"a send that was received is not", `
			1: MPI_Irecv(buf 1 int 0 5 world) = r1
			MPI_Send(buf 1 int 1 5 world) fails 15`, `
			1: MPI_Irecv at once starts receive 1<0 tag 5 in world room for 4
			1: requested
			1: returned
			MPI_Send starts send 0>1 tag 5 in world 4 bytes and waits for it
			no order in world
			no order in world
			failed`},
	})
}

func TestReceives(t *testing.T) {
	check(t, []expect{
		{"receives from any source are numbered, also of any tag", `
			MPI_Recv(buf 4 int any 7 world) = 1 7 4
			MPI_Recv(buf 4 int 1 anytag world) = 1 8 4
			MPI_Irecv(buf 4 double any anytag world) = r1
			MPI_Wait(r1) = 1 9 4`, `
			MPI_Recv starts receive 0<any tag 7 in world wild room for 16 and waits for it
			matched rank 1 tag 7
			returned
			MPI_Recv starts receive 0<1 tag any in world room for 16 and waits for it
			matched rank 1 tag 8
			returned
			MPI_Irecv at once starts receive 0<any tag any in world wild room for 32 number 1
			requested
			returned
			MPI_Wait waits for receive 0<any tag any in world wild room for 32 number 1
			MPI_Wait at 4 got 4 bytes
			completed receive 0<any tag any in world wild room for 32 number 1
			matched rank 1 tag 9
			returned`},
		{"from nobody there is nothing to wait for", `
			MPI_Recv(buf 4 int nobody 7 world) = nobody anytag 0`, `
			MPI_Recv starts served and waits for it
			returned`},
		{"on a communicator of one rank any source is that rank", `
			MPI_Recv(buf 1 int any 7 self) = 0 7 4`, `
			MPI_Recv starts receive 0<0 tag 7 in self wild room for 4 and waits for it
			matched rank 0 tag 7
			returned`},
		{"a status of a rank that is none decides nothing", `
			MPI_Recv(buf 1 int any 7 world) = 9 7 4`, `
			MPI_Recv starts receive 0<any tag 7 in world wild room for 4 and waits for it
			returned`},
		{"a send and a receive at once", `
			MPI_Sendrecv(buf 1 int 1 5 buf 2 double any 6 world) = 1 6 16
			MPI_Sendrecv_replace(buf 3 int nobody 5 1 anytag world) = 1 6 4
			MPI_Isendrecv(buf 1 int 1 5 buf 2 double any 6 world) = r1
			MPI_Wait(r1) = 1 6 16`, `
			MPI_Sendrecv starts send 0>1 tag 5 in world 4 bytes,
			receive 0<any tag 6 in world wild room for 16 and waits for it
			matched rank 1 tag 6
			returned
			MPI_Sendrecv_replace starts served,
			receive 0<1 tag any in world room for 12 and waits for it
			matched rank 1 tag 6
			returned
			MPI_Isendrecv at once starts send 0>1 tag 5 in world 4 bytes number 2,
			receive 0<any tag 6 in world wild room for 16 number 1
			requested
			returned
			MPI_Wait waits for send 0>1 tag 5 in world 4 bytes number 2,
			receive 0<any tag 6 in world wild room for 16 number 1
			MPI_Wait at 4 got 16 bytes
			completed send 0>1 tag 5 in world 4 bytes number 2,
			receive 0<any tag 6 in world wild room for 16 number 1
			matched rank 1 tag 6
			returned`},
		{"a receive that fails is taken back, or it would take a later message", `
			MPI_Recv(buf 4 int 1 7 world) fails 15
			MPI_Recv(buf 4 int any 7 world) fails 15`, `
			MPI_Recv starts receive 0<1 tag 7 in world room for 16 and waits for it
			no order in world
			no order in world
			gone: receive 0<1 tag 7 in world room for 16
			failed
			MPI_Recv starts receive 0<any tag 7 in world wild room for 16 and waits for it
			no order in world
			no order in world
			gone: receive 0<any tag 7 in world wild room for 16
			failed`},
		{"one that was too short for its message has taken that", `
			MPI_Recv(buf 4 int 1 7 world)
			- Error MPI_Recv truncate 'too_long
			MPI_Recv(…) fails 14`, `
			MPI_Recv starts receive 0<1 tag 7 in world room for 16 and waits for it
			no order in world
			no order in world
			failed`},
		{"but which message that was is not certain from any source or with any tag", `
			MPI_Recv(buf 4 int any 7 world)
			- Error MPI_Recv truncate 'too_long
			MPI_Recv(…) fails 14
			MPI_Recv(buf 4 int 1 anytag world)
			- Error MPI_Recv truncate 'too_long
			MPI_Recv(…) fails 14`, `
			MPI_Recv starts receive 0<any tag 7 in world wild room for 16 and waits for it
			no order in world
			no order in world
			gone: receive 0<any tag 7 in world wild room for 16
			failed
			MPI_Recv starts receive 0<1 tag any in world room for 16 and waits for it
			no order in world
			no order in world
			gone: receive 0<1 tag any in world room for 16
			failed`},
		{"what was said of an error belongs to the next call that fails only", `
			- Error MPI_Recv truncate 'too_long
			MPI_Recv(buf 4 int 1 7 world) fails 14`, `
			MPI_Recv starts receive 0<1 tag 7 in world room for 16 and waits for it
			no order in world
			no order in world
			gone: receive 0<1 tag 7 in world room for 16
			failed`},
		{"a probe leaves the message where it is", `
			MPI_Probe(any 7 world) = 1 7 4
			MPI_Probe(1 anytag world) = 1 7 4
			MPI_Probe(nobody 7 world) = nobody anytag 0`, `
			MPI_Probe starts probe 0<any tag 7 in world wild and waits for it
			matched rank 1 tag 7
			returned
			MPI_Probe starts probe 0<1 tag any in world and waits for it
			matched rank 1 tag 7
			returned
			MPI_Probe starts served and waits for it
			returned`},
	})
}

func TestMatchedProbes(t *testing.T) {
	check(t, []expect{
		{"a matched probe is a receive whose room another call names", `
			MPI_Mprobe(any 7 world) = m1 1 7 4
			MPI_Mrecv(buf 2 int m1) = 1 7 4
			MPI_Mprobe(nobody 7 world) = nomessage nobody anytag 0`, `
			MPI_Mprobe starts receive 0<any tag 7 in world wild matched probe and waits for it
			matched rank 1 tag 7
			returned
			MPI_Mprobe starts served and waits for it
			returned`},
		{"its message is received by a request that is complete from the beginning", `
			MPI_Mprobe(1 7 world) = m1 1 7 4
			MPI_Imrecv(buf 2 int m1) = r1
			MPI_Wait(r1) = 1 7 4`, `
			MPI_Mprobe starts receive 0<1 tag 7 in world matched probe and waits for it
			matched rank 1 tag 7
			returned
			requested
			MPI_Wait waits for served
			MPI_Wait at 3 got 4 bytes
			completed served
			returned`},
		{"one that does not wait is a receive once it has found a message", `
			MPI_Improbe(any 7 world) = 0 0 0 0 0
			MPI_Improbe(any 7 world) = 1 m1 1 7 4
			MPI_Mrecv(buf 2 int m1) = 1 7 4`, `
			MPI_Improbe asks for 0 of 0 requests
			asks for probe 0<any tag 7 in world wild
			missed 1 from choice 0 on
			MPI_Improbe asks for 0 of 0 requests
			asks for probe 0<any tag 7 in world wild
			found what at once starts receive 0<any tag 7 in world wild and waits for it
			matched rank 1 tag 7`},
		{"it is a receive of what it found, not of what it asked for", `
			1: MPI_Isend(buf 1 int 0 8 world) = r1
			1: MPI_Isend(buf 1 int 0 7 world) = r2
			MPI_Improbe(any anytag world) = 1 m1 1 7 4
			MPI_Recv(buf 1 int 1 7 world)
			1: MPI_Wait(r2) = 0 0 0`, `
			1: MPI_Isend at once starts send 1>0 tag 8 in world 4 bytes
			1: requested
			1: returned
			1: MPI_Isend at once starts send 1>0 tag 7 in world 4 bytes number 1
			1: requested
			1: returned
			MPI_Improbe asks for 0 of 0 requests
			asks for probe 0<any tag any in world wild
			found what at once starts receive 0<any tag any in world wild and waits for it
			matched rank 1 tag 7
			MPI_Recv starts receive 0<1 tag 7 in world room for 4 and waits for it
			1: MPI_Wait waits for send 1>0 tag 7 in world 4 bytes number 1
			1: MPI_Wait at 5 got 0 bytes
			1: completed send 1>0 tag 7 in world 4 bytes number 1
			1: returned`},
		{"on a communicator that is not known nothing is found", `
			MPI_Improbe(any 7 strange) = 1 m1 1 7 4
			MPI_Mrecv(buf 2 int m1) = 1 7 4`, `
			MPI_Improbe asks for 0 of 0 requests`},
	})
}

func TestTwoThreadsOfARank(t *testing.T) {
	check(t, []expect{
		{"what two threads send at the same time has no order", `
			MPI_Send(buf 1 int 1 5 world)
			0.1: MPI_Send(buf 1 int 1 5 world) =
			MPI_Send(…) =
			0.1: MPI_Send(buf 1 int 1 5 world) =`, `
			MPI_Send starts send 0>1 tag 5 in world 4 bytes and waits for it
			0.1: MPI_Send starts send 0>1 tag 5 in world 4 bytes and waits for it
			0.1: returned
			returned
			0.1: MPI_Send starts send 0>1 tag 5 in world 4 bytes number 1 and waits for it
			0.1: returned`},
		{"a receive beside a matched probe may get what that finds", `
			MPI_Improbe(any 7 world)
			0.1: MPI_Irecv(buf 1 int 1 7 world) = r1
			MPI_Improbe(…) = 1 m1 1 7 4`, `
			MPI_Improbe asks for 0 of 0 requests
			asks for probe 0<any tag 7 in world wild
			0.1: MPI_Irecv at once starts receive 0<1 tag 7 in world room for 4
			0.1: entered as at once starts receive 0<1 tag 7 in world room for 4 unordered
			0.1: requested
			0.1: returned
			found what at once starts receive 0<any tag 7 in world wild and waits for it
			matched rank 1 tag 7`},
		{"a send beside it may not", `
			MPI_Improbe(any 7 world)
			0.1: MPI_Isend(buf 1 int 1 7 world) = r1
			MPI_Improbe(…) = 1 m1 1 7 4`, `
			MPI_Improbe asks for 0 of 0 requests
			asks for probe 0<any tag 7 in world wild
			0.1: MPI_Isend at once starts send 0>1 tag 7 in world 4 bytes
			0.1: requested
			0.1: returned
			found what at once starts receive 0<any tag 7 in world wild and waits for it
			matched rank 1 tag 7`},
		{"nor may a receive before or after it", `
			0.1: MPI_Irecv(buf 1 int 1 7 world) = r1
			MPI_Improbe(any 7 world) = 1 m1 1 7 4
			0.1: MPI_Irecv(buf 1 int 1 7 world) = r1`, `
			0.1: MPI_Irecv at once starts receive 0<1 tag 7 in world room for 4
			0.1: requested
			0.1: returned
			MPI_Improbe asks for 0 of 0 requests
			asks for probe 0<any tag 7 in world wild
			found what at once starts receive 0<any tag 7 in world wild and waits for it
			matched rank 1 tag 7
			0.1: MPI_Irecv at once starts receive 0<1 tag 7 in world room for 4
			0.1: requested
			0.1: returned`},
		{"a thread that waits for another one does so for unknown reasons", `
			- Thread 1
			0.1: MPI_Recv(buf 1 int 1 7 world)
			- Join 1
			0.1: MPI_Recv(…) = 1 7 4
			0.1: - ThreadEnd
			- Joined
			MPI_Barrier(world) =`, `
			0.1: MPI_Recv starts receive 0<1 tag 7 in world room for 4 and waits for it
			joins thread 1 opaque
			0.1: matched rank 1 tag 7
			0.1: returned
			0.1: thread ended
			returned
			MPI_Barrier starts part of world 0 needs all everybody and waits for it
			returned`},
	})
}
