! Fixed: the input is sent and received before the reduction.
program fortran_use_mpi
    use mpi
    implicit none
    integer :: rank, input, total, ierr
    integer :: status(MPI_STATUS_SIZE)

    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)

    input = 7
    if (rank == 0) then
        call MPI_Send(input, 1, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, ierr)
    else
        call MPI_Recv(input, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, status, ierr)
    end if
    call MPI_Allreduce(input, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)

    call MPI_Finalize(ierr)
end program
