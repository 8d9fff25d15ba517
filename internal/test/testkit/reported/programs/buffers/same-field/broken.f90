! reported: E3SM-Project/E3SM PR 392, OPM/opm-simulators PR 5297: send and receive buffer of a collective are one array
! run: -n 3
program same_field
  use mpi
  implicit none
  integer :: ierr, sums(4), everything(12), rank
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  sums = rank
  everything = 0
  call reduce(sums, sums)
  call MPI_Finalize(ierr)
contains
  subroutine reduce(part, whole)
    integer :: part(*), whole(*)
    call MPI_Allreduce(part, whole, 4, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr) ! want: buffer-overlap: MPI_Allreduce
    ! hint: MPI_IN_PLACE
  end subroutine reduce
end program same_field
! also: rank-died call-failed
