c     Fixed: rank 0 sends first and rank 1 receives first.
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

      if (rank .eq. 0) then
         call MPI_SEND(out, 1, MPI_INTEGER, other, 0, comm, ierr)
         call MPI_RECV(in, 1, MPI_INTEGER, other, 0, comm, status, ierr)
      else
         call MPI_RECV(in, 1, MPI_INTEGER, other, 0, comm, status, ierr)
         call MPI_SEND(out, 1, MPI_INTEGER, other, 0, comm, ierr)
      end if

      call MPI_FINALIZE(ierr)
      end program
