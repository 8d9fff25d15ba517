program wait
   integer, volatile, save :: full
   full = command_argument_count()
   do while (full == 0)
   end do
end program
