! reported: mpi-forum/mpi-issues 663, every third and every second element are the buffers of a non-blocking reduction
! run: -n 3
program every_third
  implicit none
  include 'mpif.h'
  integer :: a(300), b(200), ierr, request
  call MPI_Init(ierr)
  a = 1
  b = 0
  call MPI_Iallreduce(a(1:300:3), b(1:200:2), 100, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, request, ierr) ! want: buffer-freed: not contiguous
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
  call MPI_Finalize(ierr)
end program every_third
! also: buffer-overlap sent-buffer-modified rank-died
