program restarts
  use mpi
  implicit none
  integer :: ierr, n
  call MPI_Init(ierr)
  do n = 1, 1100
    call restart()
  end do
  call MPI_Finalize(ierr)
contains
  subroutine restart()
    integer :: files
    call MPI_Comm_dup(MPI_COMM_WORLD, files, ierr)
    call MPI_Barrier(files, ierr)
    call MPI_Comm_free(files, ierr)
  end subroutine restart
end program restarts
