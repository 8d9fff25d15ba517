program fields
    type point
        sequence
        double precision :: x, y
    end type
    type body
        sequence
        type(point) :: at
        double precision :: mass(3)
        integer :: id
    end type
    type(body) :: b
    b%id = 1
    b%at%x = 2
    b%mass = 3
    print *, b%id, b%at%x, b%mass
end program
