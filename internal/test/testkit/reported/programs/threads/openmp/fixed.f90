! flags: -fopenmp
program threads
  use mpi
  use omp_lib
  implicit none
  integer :: ierr, provided, rank, got(2), n
  call MPI_Init_thread(MPI_THREAD_MULTIPLE, provided, ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call omp_set_num_threads(2)
  !$omp parallel private(n)
  n = omp_get_thread_num() + 1
  call swap(rank, n, got(n))
  !$omp end parallel
  call MPI_Finalize(ierr)
contains
  subroutine swap(mine, tag, theirs)
    integer :: mine, tag, theirs, error
    call MPI_Sendrecv(mine, 1, MPI_INTEGER, 1 - rank, tag, theirs, 1, MPI_INTEGER, 1 - rank, tag, &
                      MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
  end subroutine swap
end program threads
