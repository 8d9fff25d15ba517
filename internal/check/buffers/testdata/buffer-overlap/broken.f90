! The second receive begins at the last element of the first; columns of a matrix lie between each other.
program main
    use mpi
    implicit none
    integer :: rank, other, column, r(4), ierr, i
    real(8) :: a(7), m(4, 4)

    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    other = 1 - rank
    a = 0
    m = 0
    call MPI_Type_vector(4, 1, 4, MPI_DOUBLE_PRECISION, column, ierr)
    call MPI_Type_commit(column, ierr)
    call MPI_Irecv(m(1, 1), 1, column, other, 1, MPI_COMM_WORLD, r(1), ierr)
    call MPI_Irecv(m(2, 1), 1, column, other, 2, MPI_COMM_WORLD, r(2), ierr)
    call MPI_Irecv(a(1), 4, MPI_DOUBLE_PRECISION, other, 3, MPI_COMM_WORLD, r(3), ierr)
    call MPI_Irecv(a(4), 4, MPI_DOUBLE_PRECISION, other, 4, MPI_COMM_WORLD, r(4), ierr) ! want: MPI_Irecv with buf (`a(4)`) in memory that a pending MPI_Irecv still receives into (8 bytes are in both)
    do i = 1, 4
        call MPI_Send(m(1, 3), 4, MPI_DOUBLE_PRECISION, other, i, MPI_COMM_WORLD, ierr)
    end do
    call MPI_Waitall(4, r, MPI_STATUSES_IGNORE, ierr)
    call MPI_Irecv(a, 4, MPI_DOUBLE_PRECISION, other, 5, MPI_COMM_WORLD, r(1), ierr)
    call MPI_Send(m, 4, MPI_DOUBLE_PRECISION, other, 5, MPI_COMM_WORLD, ierr)
    call MPI_Wait(r(1), MPI_STATUS_IGNORE, ierr)
    call MPI_Allreduce(MPI_IN_PLACE, a, 4, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierr)
    call MPI_Type_free(column, ierr)
    call MPI_Finalize(ierr)
end program
