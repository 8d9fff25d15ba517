package calls

import "testing"

func TestCollectives(t *testing.T) {
	check(t, []expect{
		{"each is a part in the order of its communicator", `
			MPI_Barrier(world) =
			MPI_Barrier(self) =
			1: MPI_Barrier(world) =
			MPI_Bcast(buf 1 int 1 world) =
			MPI_Allreduce(buf buf 1 int sum world) =`, `
			MPI_Barrier starts part of world 0 needs all everybody and waits for it
			returned
			MPI_Barrier starts part of self 0 needs all and waits for it
			returned
			1: MPI_Barrier starts part of world 0 needs all everybody and waits for it
			1: returned
			MPI_Bcast starts part of world 1 root 1 needs the root and waits for it
			returned
			MPI_Allreduce starts part of world 2 needs all everybody with an operator and waits for it
			returned`},
		{"what it waits for depends on what it carries", `
			MPI_Bcast(buf 0 int 1 world) =
			MPI_Reduce(buf buf 1 int sum 1 world) =
			MPI_Reduce(buf buf 0 int sum 1 world) =
			MPI_Gather(buf 1 int buf 1 int 1 world) =
			MPI_Scatter(buf 1 int buf 0 int 1 world) =
			MPI_Scan(buf buf 1 int sum world) =
			MPI_Scan(buf buf 0 int sum world) =
			MPI_Alltoall(buf 1 int buf 1 int world) =
			MPI_Alltoall(buf 0 int buf 0 int world) =`, `
			MPI_Bcast starts part of world 0 root 1 and waits for it
			returned
			MPI_Reduce starts part of world 1 root 1 root needs all with an operator and waits for it
			returned
			MPI_Reduce starts part of world 2 root 1 with an operator and waits for it
			returned
			MPI_Gather starts part of world 3 root 1 root needs all and waits for it
			returned
			MPI_Scatter starts part of world 4 root 1 and waits for it
			returned
			MPI_Scan starts part of world 5 needs the lower with an operator and waits for it
			returned
			MPI_Scan starts part of world 6 with an operator and waits for it
			returned
			MPI_Alltoall starts part of world 7 needs all everybody and waits for it
			returned
			MPI_Alltoall starts part of world 8 and waits for it
			returned`},
		{"a count for each member may be nothing for some", `
			MPI_Allgatherv(buf 1 int buf [1 0] [0 1] int world) =
			MPI_Alltoallv(buf [1 1] [0 1] int buf [1 1] [0 1] int world) =`, `
			MPI_Allgatherv starts part of world 0 and waits for it
			returned
			MPI_Alltoallv starts part of world 1 and waits for it
			returned`},
		{"elements of no size carry nothing", `
			MPI_Type_contiguous(0 int) = empty 0
			MPI_Bcast(buf 5 empty 1 world) =
			MPI_Allreduce(buf buf 5 empty sum world) =`, `
			MPI_Bcast starts part of world 0 root 1 and waits for it
			returned
			MPI_Allreduce starts part of world 1 with an operator and waits for it
			returned`},
		{"a nonblocking one is a request", `
			MPI_Ibarrier(world) = r1
			MPI_Ibcast(buf 1 int 0 world) = r2
			MPI_Waitall(2 [r2 r1]) = [0 0 0 0 0 0]`, `
			MPI_Ibarrier at once starts part of world 0 needs all everybody nonblocking
			requested
			returned
			MPI_Ibcast at once starts part of world 1 root 0 needs the root nonblocking
			requested
			returned
			MPI_Waitall waits for part of world 2 root 0 needs the root nonblocking,
			part of world 2 needs all everybody nonblocking at [0 1]
			MPI_Waitall at 3 got 0 bytes
			completed part of world 2 root 0 needs the root nonblocking
			MPI_Waitall at 3 got 0 bytes
			completed part of world 2 needs all everybody nonblocking
			returned`},
		{"a root that is no rank of the communicator", `
			MPI_Bcast(buf 1 int 5 world) =
			MPI_Bcast(buf 1 int -1 world) =`, `
			MPI_Bcast starts part of world 0 root -4 needs the root and waits for it
			returned
			MPI_Bcast starts part of world 1 root -4 needs the root and waits for it
			returned`},
		{"on a communicator that is not known it blocks for unknown reasons", `
			MPI_Barrier(strange) =
			MPI_Ibarrier(strange) = r1
			MPI_Wait(r1) = 0 0 0`, `
			MPI_Barrier opaque
			returned
			requested
			MPI_Wait waits for observed
			MPI_Wait at 3 got 0 bytes
			completed observed
			returned`},
		{"one that failed has left the order of its communicator uncertain", `
			MPI_Barrier(world) fails 5
			MPI_Barrier(world) =`, `
			MPI_Barrier starts part of world 0 needs all everybody and waits for it
			no order in world
			no order in world
			failed
			MPI_Barrier starts part of world 1 needs all everybody and waits for it
			returned`},
	})
}

func TestCommunicatorsThatAreMade(t *testing.T) {
	check(t, []expect{
		{"members know what they made by the same identity, others by another", `
			MPI_Comm_split(world 0 0) = half
			- comm half 0
			1: MPI_Comm_split(world 1 0) = other
			1: - comm other 1
			MPI_Comm_dup(world) = dup
			- comm dup 0 1
			1: MPI_Comm_dup(world) = copy
			1: - comm copy 0 1
			1: MPI_Barrier(copy) =`, `
			MPI_Comm_split starts part of world 0 needs all everybody and waits for it
			returned
			half: split of world [0]
			1: MPI_Comm_split starts part of world 0 needs all everybody and waits for it
			1: returned
			1: other: split of world [1]
			MPI_Comm_dup starts part of world 1 needs all everybody and waits for it
			returned
			dup: duplicate of world [0 1]
			1: MPI_Comm_dup starts part of world 1 needs all everybody and waits for it
			1: returned
			1: copy: known as dup duplicate of world [0 1]
			1: MPI_Barrier starts part of dup 0 needs all everybody and waits for it
			1: returned`},
		{"how it was made", `
			MPI_Comm_create(world {0 1}) = a
			- comm a 0 1
			MPI_Comm_split_type(world 1 0 info) = b
			- comm b 0 1
			MPI_Cart_create(world 1 [2] [0] 0) = c
			- comm c 0 1
			MPI_Cart_sub(c [1]) = d
			- comm d 0 1
			MPI_Graph_create(world 2 [1 2] [1 0] 0) = e
			- comm e 0 1
			MPI_Comm_dup(c) = f
			- comm f 0 1`, `
			MPI_Comm_create starts part of world 0 needs all everybody and waits for it
			returned
			a: subset of world [0 1]
			MPI_Comm_split_type starts part of world 1 needs all everybody and waits for it
			returned
			b: split of world [0 1]
			MPI_Cart_create starts part of world 2 needs all everybody and waits for it
			returned
			c: Cartesian topology of world [0 1] topology 2
			MPI_Cart_sub starts part of c 0 needs all everybody and waits for it
			returned
			d: slice of c [0 1] topology 2
			MPI_Graph_create starts part of world 3 needs all everybody and waits for it
			returned
			e: graph topology of world [0 1] topology 3
			MPI_Comm_dup starts part of c 1 needs all everybody and waits for it
			returned
			f: duplicate of c [0 1] topology 2`},
		{"a member that makes none gets none", `
			MPI_Comm_create(world {1}) = nocomm
			1: MPI_Comm_create(world {1}) = a
			1: - comm a 1`, `
			MPI_Comm_create starts part of world 0 needs all everybody and waits for it
			returned
			1: MPI_Comm_create starts part of world 0 needs all everybody and waits for it
			1: returned
			1: a: subset of world [1]`},
		{"one with a process of another world, and one that no call made", `
			MPI_Comm_spawn(cmd 1 info 0 world) = both
			- inter both 0 | -1
			MPI_Barrier(both) =
			- comm odd 0 1
			MPI_Comm_dup(world) = a
			- comm a 0 -1
			MPI_Comm_dup(world) = b
			- comm b 0 7
			MPI_Comm_dup(world) = c
			- comm c 0 1`, `
			MPI_Comm_spawn opaque
			returned
			both: foreign [0] facing [-4]
			MPI_Barrier opaque
			returned
			odd: foreign [0 1]
			MPI_Comm_dup starts part of world 0 needs all everybody and waits for it
			returned
			a: foreign duplicate of world [0 -4]
			MPI_Comm_dup starts part of world 1 needs all everybody and waits for it
			returned
			b: foreign duplicate of world [0 7]
			MPI_Comm_dup starts part of world 2 needs all everybody and waits for it
			returned
			c: duplicate of world [0 1]`},
		{"one with a process twice", `
			MPI_Comm_create(world {0 0}) = odd
			- comm odd 0 0
			MPI_Barrier(odd) =`, `
			MPI_Comm_create starts part of world 0 needs all everybody and waits for it
			returned
			odd: foreign [0 0]
			MPI_Barrier opaque
			returned`},
		{"a duplicate may be used before its request is complete", `
			MPI_Comm_idup(world) = dup r1
			MPI_Send(buf 1 int 1 5 dup) =
			MPI_Wait(r1) = 0 0 0
			1: MPI_Comm_dup(world) = dup
			1: - comm dup 0 1`, `
			MPI_Comm_idup at once starts part of world 0 needs all everybody nonblocking
			requested
			dup: duplicate of world [0 1]
			returned
			MPI_Send starts send 0>1 tag 5 in dup 4 bytes and waits for it
			returned
			MPI_Wait waits for part of world 1 needs all everybody nonblocking
			MPI_Wait at 3 got 0 bytes
			completed part of world 1 needs all everybody nonblocking
			returned
			1: MPI_Comm_dup starts part of world 0 needs all everybody and waits for it
			1: returned
			1: dup: duplicate of world [0 1]`},
		{"by a group, a tag and how often both were there", `
			MPI_Comm_create_group(world {0 1} 7) = a
			- comm a 0 1
			MPI_Comm_create_group(world {0} 7) = b
			- comm b 0
			1: MPI_Comm_create_group(world {0 1} 7) = a
			1: - comm a 0 1
			1: MPI_Comm_create_group(world {0 1} 7) = c
			1: - comm c 0 1
			1: MPI_Comm_create_group(world {0 1} 8) = d
			1: - comm d 0 1`, `
			MPI_Comm_create_group starts part of context 1 0 needs all everybody and waits for it
			returned
			a: subset of world [0 1]
			MPI_Comm_create_group starts part of context 2 0 needs all everybody and waits for it
			returned
			b: subset of world [0]
			1: MPI_Comm_create_group starts part of context 1 0 needs all everybody and waits for it
			1: returned
			1: a: subset of world [0 1]
			1: MPI_Comm_create_group starts part of context 3 0 needs all everybody and waits for it
			1: returned
			1: c: subset of world [0 1]
			1: MPI_Comm_create_group starts part of context 4 0 needs all everybody and waits for it
			1: returned
			1: d: subset of world [0 1]`},
		{"by a group and a name, without a communicator", `
			MPI_Comm_create_from_group({0 1} mine info errors) = a
			- comm a 0 1
			1: MPI_Comm_create_from_group({0 1} mine info errors) = b
			1: - comm b 0 1
			1: MPI_Comm_create_from_group({0 1} mine info errors) = c
			1: - comm c 0 1
			1: MPI_Comm_create_from_group({0 1} yours info errors) = d
			1: - comm d 0 1`, `
			MPI_Comm_create_from_group starts part of context 1 0 needs all and waits for it
			returned
			a: from group mine [0 1]
			1: MPI_Comm_create_from_group starts part of context 1 0 needs all and waits for it
			1: returned
			1: b: known as a from group mine [0 1]
			1: MPI_Comm_create_from_group starts part of context 2 0 needs all and waits for it
			1: returned
			1: c: from group mine [0 1]
			1: MPI_Comm_create_from_group starts part of context 3 0 needs all and waits for it
			1: returned
			1: d: from group yours [0 1]`},
		{"of a group with a process of another world, or without any, nothing is known", `
			MPI_Comm_create_from_group({0 -1} mine info errors) = a
			MPI_Comm_create_from_group({} mine info errors) = nocomm`, `
			MPI_Comm_create_from_group opaque
			returned
			MPI_Comm_create_from_group opaque
			returned`},
		{"one that is freed has its handle given to another", `
			MPI_Comm_dup(world) = dup
			- comm dup 0 1
			MPI_Comm_free(dup) =
			MPI_Barrier(dup) =
			MPI_Comm_dup(world) = dup
			- comm dup 0 1
			MPI_Comm_disconnect(dup) =`, `
			MPI_Comm_dup starts part of world 0 needs all everybody and waits for it
			returned
			dup: duplicate of world [0 1]
			MPI_Barrier opaque
			returned
			MPI_Comm_dup starts part of world 1 needs all everybody and waits for it
			returned
			dup: duplicate of world [0 1]
			MPI_Comm_disconnect starts part of dup 0 and waits for it
			returned`},
		{"its name", `
			MPI_Comm_set_name(world everything) =
			MPI_Comm_set_name(strange x) =`, `
			world named everything`},
	})
}

// TestIntercommunicators has the leaders of two groups meet.
func TestIntercommunicators(t *testing.T) {
	check(t, []expect{
		{"the leaders exchange messages, and both sides know it by one identity", `
			MPI_Intercomm_create(self 0 world 1 3) = both
			- inter both 0 | 1
			1: MPI_Intercomm_create(self 0 world 0 3) = both
			1: - inter both 1 | 0
			MPI_Send(buf 1 int 0 5 both) =
			1: MPI_Recv(buf 1 int any 5 both) = 0 5 4`, `
			MPI_Intercomm_create starts part of self 0 root 0 needs all,
			send 0>1 tag 3 in leaders over world buffered,
			receive 0<1 tag 3 in leaders over world,
			waits for part of self 0 root 0 needs all,
			receive 0<1 tag 3 in leaders over world
			returned
			both: intercommunicator of self [0] facing [1]
			1: MPI_Intercomm_create starts part of self 0 root 1 needs all,
			send 1>0 tag 3 in leaders over world buffered,
			receive 1<0 tag 3 in leaders over world,
			waits for part of self 0 root 1 needs all,
			receive 1<0 tag 3 in leaders over world
			1: returned
			1: both: intercommunicator of self [1] facing [0]
			MPI_Send starts send 0>1 tag 5 in both 4 bytes and waits for it
			returned
			1: MPI_Recv starts receive 1<0 tag 5 in both wild room for 4 and waits for it
			1: matched rank 0 tag 5
			1: returned`},
		{"what does not lead waits for its own group only", `
			MPI_Intercomm_create(world 1 strange 7 3) = both`, `
			MPI_Intercomm_create starts part of world 0 root 1 needs all everybody and waits for it
			returned`},
		{"nobody is met by a leader that is no rank", `
			MPI_Intercomm_create(self 0 world 9 3) = both
			MPI_Intercomm_create(self 0 strange 0 3) = both`, `
			MPI_Intercomm_create starts part of self 0 root 0 needs all and waits for it
			returned
			MPI_Intercomm_create starts part of self 1 root 0 needs all and waits for it
			returned`},
		{"the same groups with the same tag once more make another one", `
			MPI_Intercomm_create(self 0 world 1 3) = a
			- inter a 0 | 1
			MPI_Intercomm_create(self 0 world 1 3) = b
			- inter b 0 | 1
			MPI_Intercomm_create(self 0 world 1 4) = c
			- inter c 0 | 1`, `
			MPI_Intercomm_create starts part of self 0 root 0 needs all,
			send 0>1 tag 3 in leaders over world buffered,
			receive 0<1 tag 3 in leaders over world,
			waits for part of self 0 root 0 needs all,
			receive 0<1 tag 3 in leaders over world
			returned
			a: intercommunicator of self [0] facing [1]
			MPI_Intercomm_create starts part of self 1 root 0 needs all,
			send 0>1 tag 3 in leaders over world buffered,
			receive 0<1 tag 3 in leaders over world,
			waits for part of self 1 root 0 needs all,
			receive 0<1 tag 3 in leaders over world
			returned
			b: intercommunicator of self [0] facing [1]
			MPI_Intercomm_create starts part of self 2 root 0 needs all,
			send 0>1 tag 4 in leaders over world buffered,
			receive 0<1 tag 4 in leaders over world,
			waits for part of self 2 root 0 needs all,
			receive 0<1 tag 4 in leaders over world
			returned
			c: intercommunicator of self [0] facing [1]`},
	})
	setting{2, `
		MPI_Intercomm_create(self 0 world 1 3) = both
		- inter both 0 | 1
		1: MPI_Intercomm_create(self 0 world 0 3) = both
		1: - inter both 1 | 0`, false}.check(t, []expect{
		{"merged, it is made of one that has two groups", `
			MPI_Intercomm_merge(both 0) = one
			- comm one 0 1
			MPI_Barrier(one) =`, `
			MPI_Intercomm_merge starts part of both 0 needs all and waits for it
			returned
			one: merge of both [0 1]
			MPI_Barrier starts part of one 0 needs all everybody and waits for it
			returned`},
		{"a collective names its root from both sides", `
			MPI_Bcast(buf 1 int root both) =
			1: MPI_Bcast(buf 1 int 0 both) =
			1: MPI_Bcast(buf 1 int nobody both) =
			MPI_Barrier(both) =
			MPI_Allreduce(buf buf 1 int sum both) =`, `
			MPI_Bcast starts part of both 0 root -3 signed 0 side 0 and waits for it
			returned
			1: MPI_Bcast starts part of both 0 root -3 signed 0 side 0 facing and waits for it
			1: returned
			1: MPI_Bcast starts part of both 1 root -3 signed -1 side 1 and waits for it
			1: returned
			MPI_Barrier starts part of both 1 needs all and waits for it
			returned
			MPI_Allreduce starts part of both 2 with an operator and waits for it
			returned`},
	})
}

// TestWhatCollectivesCarry: what members give each other is compared by what is said here of one.
func TestWhatCollectivesCarry(t *testing.T) {
	setting{3, `
		MPI_Intercomm_create(self 0 world 1 3) = both
		- inter both 0 | 1 2
		1: MPI_Intercomm_create(self 0 world 0 3) = both
		1: - inter both 1 2 | 0
		MPI_Cart_create(world 1 [2] [0] 0) = line
		- comm line 0 1
		MPI_Dist_graph_create_adjacent(world 1 [1] [] 2 [1 0] [] info 0) = graph
		- comm graph 0 1
		- Neighbours graph 1 1 2 1 0`, true}.check(t, []expect{
		{"all the same", `
			MPI_Barrier(world) =
			MPI_Bcast(buf 3 int 0 world) =
			MPI_Bcast(buf 3 int 1 world) =
			MPI_Reduce(buf buf 2 double sum 0 world) =
			MPI_Reduce(buf buf 2 double sum 1 world) =
			MPI_Allreduce(buf buf -1 int sum world) =`, `
			MPI_Barrier: not known
			MPI_Bcast: uniform gives 3×4 takes 3×4 root
			MPI_Bcast: uniform gives 3×4 takes 3×4
			MPI_Reduce: uniform gives 2×8 takes 2×8 root up
			MPI_Reduce: uniform gives 2×8 takes 2×8 up
			MPI_Allreduce: uniform gives 0×? takes 0×?`},
		{"each its own to the root", `
			MPI_Gather(buf 3 int buf 3 int 0 world) =
			MPI_Gather(buf 3 int buf 3 int 1 world) =
			MPI_Gatherv(buf 1 int buf [1 2] [0 1] int 0 world) =
			MPI_Gatherv(buf 1 int buf [] [] int 1 world) =
			MPI_Gather(inplace 9 int buf 3 int 0 world) =`, `
			MPI_Gather: to root gives 3×4 takes 3×4 root of 3
			MPI_Gather: to root gives 3×4 of 3
			MPI_Gatherv: to root gives 1×4 takes 1×4 2×4 root of 3
			MPI_Gatherv: to root gives 1×4 of 3
			MPI_Gather: to root takes 3×4 root of 3`},
		{"each its own from the root", `
			MPI_Scatter(buf 3 int buf 3 int 0 world) =
			MPI_Scatter(buf 3 int buf 3 int 1 world) =
			MPI_Scatterv(buf [1 2] [0 1] int buf 1 int 0 world) =
			MPI_Scatterv(buf [] [] int buf 2 int 1 world) =
			MPI_Scatter(buf 3 int inplace 9 double 0 world) =`, `
			MPI_Scatter: from root gives 3×4 takes 3×4 root of 3
			MPI_Scatter: from root takes 3×4 of 3
			MPI_Scatterv: from root gives 1×4 2×4 takes 1×4 root of 3
			MPI_Scatterv: from root takes 2×4 of 3
			MPI_Scatter: from root gives 3×4 root of 3`},
		{"between all", `
			MPI_Allgather(buf 3 int buf 3 int world) =
			MPI_Allgather(inplace 9 double buf 3 int world) =
			MPI_Allgatherv(buf 1 int buf [1 2] [0 1] int world) =
			MPI_Allgatherv(inplace 9 double buf [1 2] [0 1] int world) =
			MPI_Alltoall(buf 2 int buf 2 int world) =
			MPI_Alltoallv(buf [1 2] [0 1] int buf [1 4] [0 1] double world) =
			MPI_Alltoallv(inplace [9 9] [0 1] double buf [1 4] [0 1] int world) =`, `
			MPI_Allgather: uniform gives 3×4 takes 3×4 of 3
			MPI_Allgather: uniform takes 3×4 of 3
			MPI_Allgatherv: pairwise gives 1×4 takes 1×4 2×4 of 3
			MPI_Allgatherv: pairwise gives 1×4 takes 1×4 2×4 of 3
			MPI_Alltoall: uniform gives 2×4 takes 2×4 of 3
			MPI_Alltoallv: pairwise gives 1×4 2×4 takes 1×8 4×8 of 3
			MPI_Alltoallv: pairwise gives 1×4 4×4 takes 1×4 4×4 of 3`},
		{"with a datatype for each", `
			MPI_Alltoallw(buf [1 2] [0 8] [int double] buf [3 4] [0 8] [double int] world) =
			MPI_Alltoallw(buf [1 2] [0 8] [int double] buf [] [] [] world) =`, `
			MPI_Alltoallw: pairwise gives 1×4 2×8 takes 3×8 4×4 of 3
			MPI_Alltoallw: not known`},
		{"parts of a sum", `
			MPI_Reduce_scatter(buf buf [1 2] int sum world) =
			1: MPI_Reduce_scatter(buf buf [1 2] int sum world) =
			MPI_Reduce_scatter_block(buf buf 3 int sum world) =
			MPI_Scan(buf buf 3 int sum world) =`, `
			MPI_Reduce_scatter: pairwise gives 1×4 2×4 takes 1×4 of 3
			1: MPI_Reduce_scatter: pairwise gives 1×4 2×4 takes 2×4 of 3
			MPI_Reduce_scatter_block: uniform gives 3×4 takes 3×4
			MPI_Scan: uniform gives 3×4 takes 3×4`},
		{"to neighbours and from them", `
			MPI_Neighbor_allgather(buf 1 int buf 2 int line) =
			MPI_Neighbor_alltoallv(buf [1 2] [0 1] int buf [3 4] [0 1] int line) =
			MPI_Neighbor_alltoallv(buf [1 2 3] [0 1 2] int buf [3 4] [0 1] int line) =
			MPI_Neighbor_allgather(buf 1 int buf 2 int world) =`, `
			MPI_Neighbor_allgather: adjacent gives 1×4 takes 2×4 of 2 to [-1 1] from [-1 1]
			MPI_Neighbor_alltoallv: adjacent gives 1×4 2×4 takes 3×4 4×4 of 2 to [-1 1] from [-1 1]
			MPI_Neighbor_alltoallv: not known
			MPI_Neighbor_allgather: not known`},
		{"in a graph", `
			MPI_Neighbor_allgatherv(buf 1 int buf [5] [0] int graph) =`, `
			MPI_Neighbor_allgatherv: adjacent gives 1×4 takes 5×4 of 2 to [1 0] from [1]`},
		{"between two groups", `
			MPI_Bcast(buf 3 int root both) =
			MPI_Bcast(buf 3 int nobody both) =
			MPI_Bcast(buf 3 int 1 both) =
			MPI_Gather(buf 3 int buf 2 int root both) =
			MPI_Gather(buf 3 int buf 2 int 0 both) =
			MPI_Allreduce(buf buf 3 int sum both) =
			MPI_Allgather(buf 3 int buf 2 int both) =
			MPI_Allgatherv(buf 3 int buf [1 2] [0 1] int both) =
			MPI_Reduce_scatter(buf buf [3] int sum both) =
			MPI_Reduce_scatter_block(buf buf 3 int sum both) =`, `
			MPI_Bcast: from root gives 3×4 root left of 2
			MPI_Bcast: from root idle left of 2
			MPI_Bcast: from root takes 3×4 left of 2
			MPI_Gather: to root takes 2×4 root left of 2
			MPI_Gather: to root gives 3×4 left of 2
			MPI_Allreduce: uniform gives 3×4 takes 3×4 left of 2
			MPI_Allgather: uniform gives 3×4 takes 2×4 left of 2
			MPI_Allgatherv: pairwise gives 3×4 takes 1×4 2×4 left of 2
			MPI_Reduce_scatter: uniform gives 3×4 takes 3×4 left of 2
			MPI_Reduce_scatter_block: uniform gives 3×4 takes 3×4 left of 2`},
		{"from the other side", `
			1: MPI_Allreduce(buf buf 3 int sum both) =
			1: MPI_Reduce_scatter_block(buf buf 3 int sum both) =`, `
			1: MPI_Allreduce: uniform gives 3×4 takes 3×4 right of 1
			1: MPI_Reduce_scatter_block: uniform gives 6×4 takes 6×4 right of 1`},
	})
}
