! Fortran's random numbers, which begin anew in each run.
! WANT: with other clocks and random numbers, rank 0 made a different call after the same results
program random
    use mpi
    implicit none
    integer :: e, rank, i, n, status(MPI_STATUS_SIZE)
    real :: x
    call MPI_Init(e)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, e)
    call random_seed()
    n = 0
    do i = 1, 40
        call random_number(x)
        if (rank == 0 .and. x < 0.5) then
            call MPI_Ssend(n, 1, MPI_INTEGER, 1, 1, MPI_COMM_WORLD, e)
        else if (rank == 0) then
            call MPI_Send(n, 1, MPI_INTEGER, 1, 2, MPI_COMM_WORLD, e)
        else if (rank == 1) then
            call MPI_Recv(n, 1, MPI_INTEGER, 0, MPI_ANY_TAG, MPI_COMM_WORLD, status, e)
        end if
    end do
    call MPI_Finalize(e)
end program
