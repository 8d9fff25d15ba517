! run: -n 3
program unallocated
  use mpi_f08
  implicit none
  real, pointer :: level
  integer :: rank
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  nullify(level)
  allocate(level, source=0.)
  call initialise()
  call MPI_Barrier(MPI_COMM_WORLD)
  if (level < 0.) print *, level
  if (associated(level)) deallocate(level)
  call MPI_Finalize()
contains
  subroutine initialise()
    level = level + 1.
  end subroutine initialise
end program unallocated
