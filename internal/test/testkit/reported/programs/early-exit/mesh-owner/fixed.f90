! run: -n 3
program meshes
  use mpi
  implicit none
  integer :: ierr, rank, total, mine
  logical :: bad, any_bad
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  mine = rank
  bad = rank == 1
  call MPI_Allreduce(bad, any_bad, 1, MPI_LOGICAL, MPI_LOR, MPI_COMM_WORLD, ierr)
  if (.not. any_bad) call MPI_Allreduce(mine, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
  call MPI_Finalize(ierr)
end program meshes
