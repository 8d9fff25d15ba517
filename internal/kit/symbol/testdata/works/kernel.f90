program kernel
   integer, parameter :: n = 100
   real(8), save :: a(n, n), b(n, n), error
   integer :: i, j, k
   call random_number(a)
   b = 0
   error = 1
   do k = 1, 100
      do j = 2, n - 1
         do i = 2, n - 1
            b(i, j) = 0.25d0 * (a(i - 1, j) + a(i + 1, j) + a(i, j - 1) + a(i, j + 1))
         end do
      end do
      error = maxval(abs(a - b))
      if (error < 1d-6) exit
      a(2:n-1, 2:n-1) = b(2:n-1, 2:n-1)
   end do
   print *, k, error, count(a > 0.5d0), minloc(a), any(b < 0)
end program
