! Calls of which MPI may choose what they report, in Fortran: what they have reported is printed.
program choices
  use mpi
  implicit none
  integer :: rank, i, n, at(3), e, x(3)
  logical :: flag
  integer :: r(3)
  integer :: m
  integer :: s(MPI_STATUS_SIZE)
  integer :: ss(MPI_STATUS_SIZE, 3)
  call MPI_Init(e)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, e)
  if (rank == 0) then
    ! Two from rank 1, and one from rank 2 between them.
    call MPI_Irecv(x(1), 1, MPI_INTEGER, 1, 1, MPI_COMM_WORLD, r(1), e)
    call MPI_Irecv(x(2), 1, MPI_INTEGER, 2, 1, MPI_COMM_WORLD, r(2), e)
    call MPI_Irecv(x(3), 1, MPI_INTEGER, 1, 2, MPI_COMM_WORLD, r(3), e)
    call MPI_Waitany(3, r, i, s, e)
    print '(a,i0,a,i0)', 'waitany ', i, ' from ', s(MPI_SOURCE)
    call MPI_Testsome(3, r, n, at, ss, e)
    print '(a,i0)', 'testsome ', n
    call MPI_Testsome(3, r, n, at, ss, e)
    print '(9(a,i0))', 'testsome ', n, ': ', at(1), ' from ', ss(MPI_SOURCE, 1), &
      ', ', at(2), ' from ', ss(MPI_SOURCE, 2)
    call MPI_Irecv(x(1), 1, MPI_INTEGER, 1, 3, MPI_COMM_WORLD, r(1), e)
    call MPI_Testany(3, r, i, flag, s, e)
    print '(a,l1)', 'testany ', flag
    call MPI_Testany(3, r, i, flag, s, e)
    print '(a,l1,a,i0,a,i0)', 'testany ', flag, ' ', i, ' from ', s(MPI_SOURCE)
    call MPI_Irecv(x(1), 1, MPI_INTEGER, 2, 3, MPI_COMM_WORLD, r(1), e)
    call MPI_Test(r(1), flag, s, e)
    print '(a,l1,a,i0)', 'test ', flag, ' from ', s(MPI_SOURCE)
    call MPI_Improbe(1, 4, MPI_COMM_WORLD, flag, m, s, e)
    print '(a,l1)', 'improbe ', flag
    call MPI_Improbe(1, 4, MPI_COMM_WORLD, flag, m, s, e)
    print '(a,l1,a,i0)', 'improbe ', flag, ' from ', s(MPI_SOURCE)
    call MPI_Mrecv(x(1), 1, MPI_INTEGER, m, s, e)
  else
    do i = 1, 4
      call MPI_Ssend(rank, 1, MPI_INTEGER, 0, i, MPI_COMM_WORLD, e)
      if (rank == 2 .and. i == 1) exit
    end do
    if (rank == 2) call MPI_Ssend(rank, 1, MPI_INTEGER, 0, 3, MPI_COMM_WORLD, e)
  end if
  call MPI_Finalize(e)
end program
