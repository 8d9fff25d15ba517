! A part of an array with gaps is copied for the call alone; to the stack, not to the heap, with the module of MPICH.
! only: openmpi
program broken
  use mpi
  implicit none
  integer :: rank, ierr, r, a(8, 8), b(8)

  call MPI_Init(ierr) ! run: -n 2 --check-memory
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  a = rank
  call MPI_Isend(a(2, :), 8, MPI_INTEGER, 1 - rank, 0, MPI_COMM_WORLD, r, ierr) ! want: MPI_Isend with buf (`a(2, :)`), which is not contiguous: the compiler passed a copy that was gone when MPI_Isend returned
  call MPI_Recv(b, 8, MPI_INTEGER, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  call MPI_Wait(r, MPI_STATUS_IGNORE, ierr)
  call MPI_Finalize(ierr)
end program broken
