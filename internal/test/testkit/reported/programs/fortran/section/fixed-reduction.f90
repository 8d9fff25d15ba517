! run: -n 3
program every_third
  implicit none
  include 'mpif.h'
  integer :: a(300), b(200), mine(100), all(100), ierr, request
  call MPI_Init(ierr)
  a = 1
  b = 0
  mine = a(1:300:3)
  call MPI_Iallreduce(mine, all, 100, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, request, ierr)
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
  b(1:200:2) = all
  call MPI_Finalize(ierr)
end program every_third
