c     Wrong: both ranks receive before they send, so neither message is
c     ever sent.
      program exchange
      implicit none
      include 'mpif.h'
      integer rank, other, comm, in, out, ierr
      integer status(MPI_STATUS_SIZE)

      call MPI_INIT(ierr)
      comm = MPI_COMM_WORLD
      call MPI_COMM_RANK(comm, rank, ierr)
      other = 1 - rank
      out = rank

      call MPI_RECV(in, 1, MPI_INTEGER, other, 0, comm, status, ierr) ! both ranks wait here
      call MPI_SEND(out, 1, MPI_INTEGER, other, 0, comm, ierr)

      call MPI_FINALIZE(ierr)
      end program
