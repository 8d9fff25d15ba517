! reported: Nek5000/Nek5000 836, omni-compiler/omni-compiler 278, eth-cscs/DLA-Future 712, pmodels/mpich 1768: each restart duplicates a communicator
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
    call MPI_Comm_dup(MPI_COMM_WORLD, files, ierr) ! want: resource-growth: communicators
    ! hint: free
    call MPI_Barrier(files, ierr)
  end subroutine restart
end program restarts
! also: leak-comm rank-died
