! Rank 1 puts a number into the window of rank 0 before any synchronisation.
program early
  use mpi
  implicit none
  integer :: rank, ierr, win
  integer :: value = 0
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Win_create(value, 4_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)
  if (rank == 1) then
    call MPI_Put(rank, 1, MPI_INTEGER, 0, 0_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierr) ! want: outside any epoch
  end if
  call MPI_Win_fence(0, win, ierr)
  call MPI_Win_free(win, ierr)
  call MPI_Finalize(ierr)
end program
