! The hour by Fortran's clock.
! WANT: with other clocks and random numbers, rank 0 made a different call after the same results
program hour
    use mpi
    implicit none
    integer :: e, rank, n, status(MPI_STATUS_SIZE), now(8)
    call MPI_Init(e)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, e)
    call date_and_time(values=now)
    n = 0
    if (rank == 0 .and. mod(now(5), 2) == 0) then
        call MPI_Ssend(n, 1, MPI_INTEGER, 1, 1, MPI_COMM_WORLD, e)
    else if (rank == 0) then
        call MPI_Send(n, 1, MPI_INTEGER, 1, 2, MPI_COMM_WORLD, e)
    else if (rank == 1) then
        call MPI_Recv(n, 1, MPI_INTEGER, 0, MPI_ANY_TAG, MPI_COMM_WORLD, status, e)
    end if
    call MPI_Finalize(e)
end program
