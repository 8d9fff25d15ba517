! Reads a file as all ranks do, by which Fortran opens it to be written as well, writes one of its own, and asks all of Fortran's clocks.
program parameters
    use mpi
    implicit none
    integer :: e, rank, n, sum, ticks
    real :: cpu, x
    character(8) :: date
    character(32) :: name
    call cpu_time(cpu)
    call MPI_Init(e)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, e)
    open (10, file='../input.txt')
    read (10, *) n
    close (10)
    call system_clock(ticks)
    call date_and_time(date=date)
    call random_number(x)
    call MPI_Allreduce(n, sum, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, e)
    write (name, '(a,i0)') 'fortran.', rank
    open (11, file=name)
    write (11, *) sum, cpu, ticks, date, x
    close (11)
    open (12, status='scratch')
    write (12, *) n
    rewind (12)
    read (12, *) n
    close (12)
    call MPI_Finalize(e)
end program
