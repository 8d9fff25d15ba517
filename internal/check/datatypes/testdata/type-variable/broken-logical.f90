! run: -n 2
! An integer option is broadcast as a truth value, and the element of an array.
program options
  use mpi
  implicit none
  integer :: ierr, method, levels(4)
  call MPI_Init(ierr)
  method = 3
  levels = 2
  call MPI_Bcast(method, 1, MPI_LOGICAL, 0, MPI_COMM_WORLD, ierr) ! want: and datatype that differ: `method` is integer(4), MPI_LOGICAL is logical(4).
  call MPI_Bcast(levels(2), 3, MPI_LOGICAL, 0, MPI_COMM_WORLD, ierr) ! want: and datatype that differ: `levels(2)` is integer(4), MPI_LOGICAL is logical(4).
  call MPI_Finalize(ierr)
end program options
