program wait
   integer, save :: full
   integer :: seen
   full = command_argument_count()
   do
      !$omp atomic read
      seen = full
      if (seen /= 0) exit
   end do
end program
