! Fixed: both messages are sent before the wait.
program fortran_mpi_f08
    use mpi_f08
    implicit none
    integer :: rank, other, out, in(2), ierr
    type(MPI_Request) :: requests(2)

    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)

    other = 1 - rank
    out = rank
    call MPI_Irecv(in(1), 1, MPI_INTEGER, other, 1, MPI_COMM_WORLD, requests(1), ierr)
    call MPI_Irecv(in(2), 1, MPI_INTEGER, other, 2, MPI_COMM_WORLD, requests(2), ierr)
    call MPI_Send(out, 1, MPI_INTEGER, other, 1, MPI_COMM_WORLD, ierr)
    call MPI_Send(out, 1, MPI_INTEGER, other, 2, MPI_COMM_WORLD, ierr)
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierr)

    call MPI_Finalize(ierr)
end program
