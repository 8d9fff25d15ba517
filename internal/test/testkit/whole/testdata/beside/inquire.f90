! One rank writes a file, and the other one asks whether it is there.
! WANT: ; rank 0 looks (at|for) the file inquired by (access|stat) \(inquire.f90:13\), which rank 1 changes by (open|write|unlink|remove)
program inquired
    use mpi
    implicit none
    integer :: e, rank, n, status(MPI_STATUS_SIZE)
    logical :: there
    call MPI_Init(e)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, e)
    there = .false.
    n = 0
    if (rank == 1) call write_it()
    if (rank == 0) inquire (file='inquired', exist=there)
    if (rank == 0 .and. there) then
        call MPI_Ssend(n, 1, MPI_INTEGER, 1, 1, MPI_COMM_WORLD, e)
    else if (rank == 0) then
        call MPI_Send(n, 1, MPI_INTEGER, 1, 2, MPI_COMM_WORLD, e)
    else if (rank == 1) then
        call MPI_Recv(n, 1, MPI_INTEGER, 0, MPI_ANY_TAG, MPI_COMM_WORLD, status, e)
    end if
    call MPI_Finalize(e)
contains
    subroutine write_it()
        open (10, file='inquired')
        write (10, *) 1
        close (10, status='delete')
    end subroutine
end program
