! A buffer is used again too early. MPICH's module has the compiler send a copy, which is not changed.
! only: openmpi
program broken
  use mpi
  implicit none
  integer :: rank, ierr, r(2), a(4), b(4)

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  a = rank
  call MPI_Irecv(b, 4, MPI_INTEGER, 1 - rank, 0, MPI_COMM_WORLD, r(1), ierr)
  call MPI_Isend(a, 4, MPI_INTEGER, 1 - rank, 0, MPI_COMM_WORLD, r(2), ierr) ! want: MPI_Isend with buf (`a`) and changes the data
  a(3) = 7
  call MPI_Waitall(2, r, MPI_STATUSES_IGNORE, ierr) ! note: it was completed by MPI_Waitall at main program broken (broken.f90:14)
  call MPI_Finalize(ierr)
end program broken
