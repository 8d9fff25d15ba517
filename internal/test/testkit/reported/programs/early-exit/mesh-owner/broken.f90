! reported: firemodels/fds PR 8698, the owner of a mesh finds an error in its input and returns; the others go on
! run: -n 3
program meshes
  use mpi
  implicit none
  integer :: ierr, rank, total, mine
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  mine = rank
  call read_ducts(rank)
  call MPI_Finalize(ierr)
contains
  subroutine read_ducts(owner)
    integer, intent(in) :: owner
    if (owner == 1) then
      print *, 'ERROR: duct 3 has no node'
      return
    end if
    call MPI_Allreduce(mine, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr) ! want: deadlock: MPI_Finalize
  end subroutine read_ducts
end program meshes
