! Each rank receives before it sends, by the functions of layer.c.
program receives
  implicit none
  integer, external :: layer_world, layer_int
  external :: mpi_init, mpi_comm_rank, mpi_recv, mpi_send, mpi_finalize
  integer :: ierror, me, theirs, status(8)

  call mpi_init(ierror)
  call mpi_comm_rank(layer_world(), me, ierror)
  call mpi_recv(theirs, 1, layer_int(), 1 - me, 0, layer_world(), status, ierror) ! waits
  call mpi_send(me, 1, layer_int(), 1 - me, 0, layer_world(), ierror)
  call mpi_finalize(ierror)
end program
