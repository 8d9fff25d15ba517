package calls

import "testing"

func TestOtherCalls(t *testing.T) {
	check(t, []expect{
		{"the end of MPI is the last call", `
			MPI_Finalize()`, `
			MPI_Finalize last`},
		{"what may wait for other programs, or for the buffer, does so for unknown reasons", `
			MPI_Comm_spawn(cmd 1 info 0 world) = nocomm
			MPI_Buffer_detach() =
			MPI_Buffer_flush() =
			MPI_Session_init(info errors) = s`, `
			MPI_Comm_spawn opaque
			returned
			MPI_Buffer_detach opaque
			returned
			MPI_Buffer_flush opaque
			returned
			MPI_Session_init opaque
			returned`},
		{"what concerns no other rank is no operation", `
			MPI_Init() =
			MPI_Abort(world 1)
			MPI_Type_contiguous(3 int) = three 12
			MPI_Type_commit(three) =
			MPI_Type_free(three) =
			MPI_Group_incl(group 1 [0]) = g
			MPI_Group_free(g) =
			MPI_Info_create() = i
			MPI_Op_create(1) = mine
			MPI_Comm_set_attr(world keyval) =
			MPI_Comm_size(world) =
			MPI_Mrecv(buf 1 int strange) = 1 7 4`, ``},
		{"a freed communicator is left by this rank only", `
			MPI_Comm_dup(world) = dup
			- comm dup 0 1
			1: MPI_Comm_dup(world) = dup
			1: - comm dup 0 1
			MPI_Comm_free(dup) =
			1: MPI_Send(buf 1 int 0 5 dup) =
			1: MPI_Barrier(dup)`, `
			MPI_Comm_dup starts part of world 0 needs all everybody and waits for it
			returned
			dup: duplicate of world [0 1]
			1: MPI_Comm_dup starts part of world 0 needs all everybody and waits for it
			1: returned
			1: dup: duplicate of world [0 1]
			1: MPI_Send starts send 1>0 tag 5 in dup 4 bytes and waits for it
			1: returned
			1: MPI_Barrier starts part of dup 0 needs all everybody and waits for it`},
		{"a call that does not return is over when the next one begins", `
			MPI_Barrier(world)
			MPI_Barrier(world)
			MPI_Comm_size(world)`, `
			MPI_Barrier starts part of world 0 needs all everybody and waits for it
			MPI_Barrier starts part of world 1 needs all everybody and waits for it`},
		{"what a call returns that the thread is not in is left", `
			MPI_Barrier(world)
			MPI_Send(…) =
			MPI_Barrier(…) =`, `
			MPI_Barrier starts part of world 0 needs all everybody and waits for it
			returned`},
	})
}
