! A module's array is shorter than the count.
module state
  implicit none
  real(8), save :: field(10) = 0
end module state

program broken
  use mpi
  use state
  implicit none
  integer :: rank, ierr

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Bcast(field, 11, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, ierr) ! want: MPI_Bcast with buffer (`field`) in the variable `field` of 80 bytes; the data extends 8 bytes beyond its end
  call MPI_Finalize(ierr)
end program broken
