! run: -n 3
! Receives from any rank are posted, and the process ends in MPI_Wait: the message of rank 1 is too long for them.
program early
  use mpi
  implicit none
  integer :: rank, request, ierr, i
  real(8) :: part(10), whole(12)
  whole = 0
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  select case (rank)
  case (0)
    do i = 1, 2
      call MPI_Irecv(part, 10, MPI_DOUBLE_PRECISION, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, request, ierr) ! want: whose receive has room for 10
      call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
    end do
  case (1)
    call MPI_Send(whole, 12, MPI_DOUBLE_PRECISION, 0, 1, MPI_COMM_WORLD, ierr) ! want: Rank 1 sends 12
  case (2)
    call MPI_Send(whole, 10, MPI_DOUBLE_PRECISION, 0, 2, MPI_COMM_WORLD, ierr) ! note: was ended by its MPI library with MPI_ERR_TRUNCATE
  end select
  call MPI_Finalize(ierr)
end program early
