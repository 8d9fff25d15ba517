! run: -n 2
! Statuses of the right size in a COMMON block, of which another procedure has another declaration, and work space in one that two procedures use as different types.
program common_status
  implicit none
  include 'mpif.h'
  integer :: rank, value, ierr, msg_status(MPI_STATUS_SIZE), all(MPI_STATUS_SIZE, 2), requests(2)
  real(8) :: work(4)
  common /received/ msg_status, all
  common /space/ work
  value = 1
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  if (rank == 0) then
    call MPI_Send(value, 1, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, ierr)
  else
    call MPI_Recv(value, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, msg_status, ierr)
  end if
  work = 1
  call MPI_Bcast(work, 4, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, ierr)
  call integers()
  call MPI_Irecv(value, 1, MPI_INTEGER, 1 - rank, 0, MPI_COMM_WORLD, requests(1), ierr)
  call MPI_Isend(rank, 1, MPI_INTEGER, 1 - rank, 0, MPI_COMM_WORLD, requests(2), ierr)
  call MPI_Waitall(2, requests, all, ierr)
  call MPI_Finalize(ierr)
contains
  subroutine integers()
    integer :: one(3*MPI_STATUS_SIZE), space(8)
    common /received/ one
    common /space/ space
    space = 2
    call MPI_Bcast(space, 8, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
    if (rank == 0) then
      call MPI_Send(value, 1, MPI_INTEGER, 1, 1, MPI_COMM_WORLD, ierr)
    else
      call MPI_Recv(value, 1, MPI_INTEGER, 0, 1, MPI_COMM_WORLD, one, ierr)
    end if
  end subroutine integers
end program common_status
