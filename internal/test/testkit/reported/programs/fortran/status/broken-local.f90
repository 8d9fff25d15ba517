! reported: lfortran/fortran_mpi PR 137, a status has five integers, and this MPI library writes six
! only: openmpi
program short_status
  implicit none
  include 'mpif.h'
  integer :: ierr, rank
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call exchange()
  call MPI_Finalize(ierr)
contains
  subroutine exchange()
    integer :: n, msg_status(5)
    n = rank
    if (rank == 0) then
      call MPI_Send(n, 1, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, ierr)
    else
      call MPI_Recv(n, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, msg_status, ierr) ! want: status-outside: msg_status
      ! hint: MPI_STATUS_SIZE
    end if
  end subroutine exchange
end program short_status
! also: rank-died
