! run: -n 3
program same_field
  use mpi
  implicit none
  integer :: ierr, sums(4), everything(12), rank
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  sums = rank
  everything = 0
  call reduce(sums, everything)
  call MPI_Finalize(ierr)
contains
  subroutine reduce(part, whole)
    integer :: part(*), whole(*)
    call MPI_Allreduce(part, whole, 4, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
  end subroutine reduce
end program same_field
