! Forms of a receive from any source, each twice, when messages of both other ranks are there.
program forms
  use mpi_f08
  implicit none
  integer :: rank, ierr, x, y, go, i
  type(MPI_Request) :: r, several(2)
  type(MPI_Status) :: s, two(2)
  integer :: met(2), tag
  logical :: found
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  tag = 0
  call both()
  if (rank == 0) then
     do i = 1, 2
        call MPI_Recv(x, 1, MPI_INTEGER, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, s, ierr)
        call note(i, x, s%MPI_SOURCE)
     end do
     call tell('MPI_Recv')
  end if
  call both()
  if (rank == 0) then
     do i = 1, 2
        call MPI_Irecv(x, 1, MPI_INTEGER, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, r, ierr)
        call MPI_Wait(r, s, ierr)
        call note(i, x, s%MPI_SOURCE)
     end do
     call tell('MPI_Irecv')
  end if
  call both()
  if (rank == 0) then
     do i = 1, 2
        call MPI_Probe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, s, ierr)
        met(i) = s%MPI_SOURCE
        call MPI_Recv(x, 1, MPI_INTEGER, met(i), tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
     end do
     call tell('MPI_Probe')
  end if
  call both()
  if (rank == 0) then
     do i = 1, 2
        found = .false.
        do while (.not. found)
           call MPI_Iprobe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, found, s, ierr)
        end do
        met(i) = s%MPI_SOURCE
        call MPI_Recv(x, 1, MPI_INTEGER, met(i), tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
     end do
     call tell('MPI_Iprobe')
  end if
  call both()
  if (rank == 0) then
     do i = 1, 2
        call MPI_Sendrecv(rank, 1, MPI_INTEGER, MPI_PROC_NULL, 0, x, 1, MPI_INTEGER, MPI_ANY_SOURCE, tag, &
             MPI_COMM_WORLD, s, ierr)
        call note(i, x, s%MPI_SOURCE)
     end do
     call tell('MPI_Sendrecv')
  end if
  call both()
  if (rank == 0) then
     call MPI_Recv_init(x, 1, MPI_INTEGER, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, r, ierr)
     do i = 1, 2
        call MPI_Start(r, ierr)
        call MPI_Wait(r, s, ierr)
        call note(i, x, s%MPI_SOURCE)
     end do
     call MPI_Request_free(r, ierr)
     call tell('MPI_Start')
  end if
  call both()
  if (rank == 0) then
     call MPI_Recv_init(x, 1, MPI_INTEGER, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, several(1), ierr)
     call MPI_Recv_init(y, 1, MPI_INTEGER, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, several(2), ierr)
     call MPI_Startall(2, several, ierr)
     call MPI_Waitall(2, several, two, ierr)
     call note(1, x, two(1)%MPI_SOURCE)
     call note(2, y, two(2)%MPI_SOURCE)
     call MPI_Request_free(several(1), ierr)
     call MPI_Request_free(several(2), ierr)
     call tell('MPI_Startall')
  end if
  call MPI_Finalize(ierr)

contains

  subroutine both()
    tag = tag + 1
    go = 0
    if (rank == 1) then
       call MPI_Send(rank, 1, MPI_INTEGER, 0, tag, MPI_COMM_WORLD, ierr)
    else if (rank == 2) then
       call MPI_Recv(go, 1, MPI_INTEGER, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
       call MPI_Send(rank, 1, MPI_INTEGER, 0, tag, MPI_COMM_WORLD, ierr)
    else
       call MPI_Probe(1, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
       call MPI_Send(go, 1, MPI_INTEGER, 2, tag, MPI_COMM_WORLD, ierr)
       call MPI_Probe(2, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    end if
  end subroutine

  subroutine note(at, value, source)
    integer, intent(in) :: at, value, source
    met(at) = source
    if (value /= source) print '(a,i0,a,i0)', 'message of ', value, ', status says ', source
  end subroutine

  subroutine tell(form)
    character(len=*), intent(in) :: form
    print '(a,a,i0,1x,i0)', form, ' met ', met(1), met(2)
  end subroutine
end program
