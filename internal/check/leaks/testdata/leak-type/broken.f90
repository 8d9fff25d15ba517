! One datatype is freed, one is not.
program leak
  use mpi
  implicit none
  integer :: row, column, ierr
  call MPI_Init(ierr)
  call MPI_Type_contiguous(4, MPI_INTEGER, row, ierr)
  call MPI_Type_vector(4, 1, 4, MPI_INTEGER, column, ierr) ! want: MPI_Finalize with 1 datatype of this MPI_Type_vector not freed
  call MPI_Type_free(row, ierr)
  call MPI_Finalize(ierr)
end program leak
