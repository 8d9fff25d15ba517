module calls
  use iso_c_binding
  implicit none
  interface
    subroutine numbered_site(n) bind(c)
      import
      integer(c_int), value :: n
    end subroutine
    subroutine wait_for_reader() bind(c)
    end subroutine
  end interface
contains
  subroutine exchange(n)
    integer(c_int) :: n
    call numbered_site(2) ! MARK exchange
    n = n + 1
  end subroutine
end module

subroutine outside(n)
  use calls
  implicit none
  integer(c_int) :: n
  call numbered_site(3) ! MARK outside
  n = n + 1
end subroutine

program heat
  use calls
  implicit none
  integer(c_int) :: n
  external :: outside
  n = 0
  call numbered_site(1) ! MARK main
  call exchange(n)
  call outside(n)
  call within()
  call wait_for_reader()
contains
  subroutine within()
    call numbered_site(4) ! MARK within
    n = n + 1
  end subroutine
end program
