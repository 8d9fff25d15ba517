! Rank 1 sends from its window, which MPI has allocated, while rank 0 puts there.
program owner
  use mpi
  use, intrinsic :: iso_c_binding
  implicit none
  integer :: ierr, rank, win, got
  integer, pointer :: value(:)
  type(c_ptr) :: base
  integer(kind=MPI_ADDRESS_KIND) :: bytes, place

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  bytes = 16
  call MPI_Win_allocate(bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, base, win, ierr)
  call c_f_pointer(base, value, [4])
  value = 0
  place = 2
  call MPI_Win_fence(0, win, ierr)
  if (rank == 0) then
    call MPI_Put(rank, 1, MPI_INTEGER, 1, place, 1, MPI_INTEGER, win, ierr)
    call MPI_Recv(got, 1, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  else
    call MPI_Send(value(3), 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, ierr) ! want: which reads bytes 8 to 11 of its own window; in the same epoch rank 0 writes them with MPI_Put
  end if
  call MPI_Win_fence(0, win, ierr)
  call MPI_Win_free(win, ierr)
  call MPI_Finalize(ierr)
end program owner
