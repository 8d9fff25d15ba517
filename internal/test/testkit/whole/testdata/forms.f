C     Receives from any source by mpif.h, with messages of both other
C     ranks there.
      program forms
      implicit none
      include 'mpif.h'
      integer rank, ierr, x, i, met(2), s(MPI_STATUS_SIZE), r
      call MPI_INIT(ierr)
      call MPI_COMM_RANK(MPI_COMM_WORLD, rank, ierr)
      if (rank .eq. 0) then
         call MPI_PROBE(1, 7, MPI_COMM_WORLD, s, ierr)
         call MPI_PROBE(2, 7, MPI_COMM_WORLD, s, ierr)
         do i = 1, 2
            call MPI_RECV(x, 1, MPI_INTEGER, MPI_ANY_SOURCE, 7,
     &           MPI_COMM_WORLD, s, ierr)
            met(i) = s(MPI_SOURCE)
            if (x .ne. met(i)) print *, 'message of', x
         end do
         print '(a,i0,1x,i0)', 'MPI_RECV met ', met(1), met(2)
         call MPI_RECV_INIT(x, 1, MPI_INTEGER, MPI_ANY_SOURCE, 8,
     &        MPI_COMM_WORLD, r, ierr)
         do i = 1, 2
            call MPI_START(r, ierr)
            call MPI_WAIT(r, s, ierr)
            met(i) = s(MPI_SOURCE)
            if (x .ne. met(i)) print *, 'message of', x
         end do
         call MPI_REQUEST_FREE(r, ierr)
         print '(a,i0,1x,i0)', 'MPI_START met ', met(1), met(2)
      else
         call MPI_SEND(rank, 1, MPI_INTEGER, 0, 7, MPI_COMM_WORLD,
     &        ierr)
         call MPI_SEND(rank, 1, MPI_INTEGER, 0, 8, MPI_COMM_WORLD,
     &        ierr)
      end if
      call MPI_FINALIZE(ierr)
      end
