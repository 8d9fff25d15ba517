! Messages in Fortran, then ranks hang. USE_F08 chooses the module.
program hangs
#ifdef USE_F08
  use mpi_f08
#else
  use mpi
#endif
  implicit none
#ifdef USE_F08
  type(MPI_Comm) :: dup
  type(MPI_Request) :: r(2)
#else
  integer :: dup, r(2)
#endif
  integer :: ierr, rank, peer, x, y, i
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  peer = 1 - rank
  x = rank
  call MPI_Comm_dup(MPI_COMM_WORLD, dup, ierr)
  do i = 1, 3
    call MPI_Irecv(y, 1, MPI_INTEGER, MPI_ANY_SOURCE, 5, dup, r(1), ierr)
    call MPI_Isend(x, 1, MPI_INTEGER, peer, 5, dup, r(2), ierr)
    call MPI_Waitall(2, r, MPI_STATUSES_IGNORE, ierr)
  end do
  print '(a,i0,a,i0)', 'rank ', rank, ' pid ', getpid()
  flush (6)
  call MPI_Recv(y, 7, MPI_INTEGER, peer, 42, dup, MPI_STATUS_IGNORE, ierr)
  call MPI_Finalize(ierr)
end program hangs
