! reported: MCSclimate/MCT PR 62, a gather in place on rank 0, which is not the root of every gather
program gather_maps
  use mpi
  implicit none
  integer :: ierr, rank, root, mine(2), all(4)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  root = 1
  mine = rank
  all = rank
  if (rank == 0) then
    call MPI_Gather(MPI_IN_PLACE, 2, MPI_INTEGER, all, 2, MPI_INTEGER, root, MPI_COMM_WORLD, ierr) ! want: in-place-invalid: only the root may pass it
  else
    call MPI_Gather(mine, 2, MPI_INTEGER, all, 2, MPI_INTEGER, root, MPI_COMM_WORLD, ierr)
  end if
  call MPI_Finalize(ierr)
end program gather_maps
! also: rank-died call-failed
