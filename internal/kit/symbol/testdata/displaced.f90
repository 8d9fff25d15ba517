module calls
  interface
    subroutine first(ierr)
      integer, intent(out) :: ierr
    end subroutine first
    subroutine second(ierr)
      integer, intent(out) :: ierr
    end subroutine second
    subroutine third(ierr)
      integer, intent(out) :: ierr
    end subroutine third
    subroutine inner(ierr)
      integer, intent(out) :: ierr
    end subroutine inner
    subroutine twice(ierr)
      integer, intent(out) :: ierr
    end subroutine twice
    subroutine hidden(ierr)
      integer, intent(out) :: ierr
    end subroutine hidden
    subroutine early(ierr)
      integer, intent(out) :: ierr
    end subroutine early
  end interface
contains
  subroutine at_once() ! the module's procedures are compiled last to first
    integer :: ierr
    call early(ierr) ! MARK early
    if (ierr > 0) print *, ierr
  end subroutine at_once

  subroutine inlined(ierr)
    integer, intent(out) :: ierr
    call hidden(ierr) ! MARK hidden
    ierr = ierr + 1
  end subroutine inlined

  subroutine another()
    print *, 'another'
  end subroutine another
end module calls

program displaced ! MARK program
  use calls
  implicit none
  integer :: ierr, n
  n = 1
  call first(ierr) ! MARK first
  n = n + 1
  call second(ierr) ! MARK second
  CALL  Third(ierr) ! MARK third
  n = n + 1
  call twice(ierr)
  call twice(ierr)
  n = n + 1
  call at_once()
  n = n + 2
  call inlined(n)
  if (n < 0) call another()
  call within(n)
  call wait_for_end(n + 1)
contains
  subroutine within(n)
    integer, intent(inout) :: n
    n = n + 1
    call inner(n) ! MARK inner
    n = n + 1
  end subroutine within
end program displaced
