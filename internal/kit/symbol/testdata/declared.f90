module state
  implicit none
  real(8) :: psi(50)
  real(4), allocatable :: field(:, :)
  type cell
    integer :: id
    real(8) :: x(3)
    integer(8), allocatable :: list(:)
  end type
contains
  subroutine work(a, assumed, scalar, n, text, any_type)
    integer :: n
    real(8) :: a(n), assumed(:, :), scalar
    character(*) :: text
    type(*) :: any_type
    complex(8) :: z
    logical :: ok
    type(cell) :: c, cells(4)
    real(4), pointer :: p(:)
    integer :: inner_only
    inner_only = 1
    z = 1; ok = .true.; c%id = 1; cells(1)%id = 2; nullify(p)
    allocate(c%list(1))
    call inside
  contains
    subroutine inside
      a(1) = inner_only
    end subroutine
  end subroutine
end module

subroutine shared
  use state, only: psi, renamed => field
  integer :: iw(4), n
  real(8) :: rw(2), both
  common /block/ both
  equivalence (iw, rw)
  iw(1) = 1; both = 1; n = 1
  psi(1) = rw(1)
  renamed = 0
end subroutine

program declared
  use state
  integer(8) :: total
  total = 1
  call shared
end program
