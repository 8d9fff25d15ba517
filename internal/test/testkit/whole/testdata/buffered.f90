! Two ranks send each other long messages before they receive, which needs a copy of one of them.
program buffered
  use mpi
  implicit none
  integer, parameter :: n = 300000
  integer :: rank, other, r, e, round
  integer, allocatable :: a(:), b(:)
  call MPI_Init(e)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, e)
  allocate(a(n), b(n))
  other = 1 - rank
  do round = 1, 2
    a = rank + round
    if (round == 1) then
      call MPI_Send(a, n, MPI_INTEGER, other, 1, MPI_COMM_WORLD, e)
    else
      call MPI_Isend(a, n, MPI_INTEGER, other, 1, MPI_COMM_WORLD, r, e)
      call MPI_Wait(r, MPI_STATUS_IGNORE, e)
    end if
    a = -1
    call MPI_Recv(b, n, MPI_INTEGER, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, e)
    print '(a,i0,a,i0,a)', 'rank ', rank, ': ', count(b /= other + round), ' wrong'
  end do
  call MPI_Finalize(e)
end program
