! run: -n 2
! The rank that is flushed is the caller's.
program flushes
  implicit none
  include 'mpif.h'
  integer :: rank, win, ierr, got
  integer :: memory(4)

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  memory = rank
  got = 0
  call MPI_Win_create(memory, int(16, MPI_ADDRESS_KIND), 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)
  call MPI_Win_lock_all(0, win, ierr)
  call MPI_Get(got, 1, MPI_INTEGER, 1 - rank, 0_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierr)
  call MPI_Win_flush(rank, win, ierr) ! want: Rank 0 calls MPI_Win_flush with rank 0, where it has nothing to complete; its MPI_Get with target_rank 1 remains pending until the epoch ends
  if (got < 0) stop 1
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  call MPI_Win_unlock_all(win, ierr)
  call MPI_Win_free(win, ierr)
  call MPI_Finalize(ierr)
end program
