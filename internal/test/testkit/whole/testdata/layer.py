# Each rank receives before it sends, by functions of the library that stands in for mpi4py's module: layer.c.
import ctypes
import importlib.util
from ctypes import byref, c_int

mpi = ctypes.PyDLL(importlib.util.find_spec("mpi4py.MPI").origin)
world, number = c_int(mpi.layer_world_()), c_int(mpi.layer_int_())
me, theirs, other, one, tag, status, ierror = (c_int() for _ in range(7))
mpi.mpi_init_(byref(ierror))
mpi.mpi_comm_rank_(byref(world), byref(me), byref(ierror))
one.value, other.value = 1, 1 - me.value
mpi.mpi_recv_(byref(theirs), byref(one), byref(number), byref(other), byref(tag), byref(world), byref(status), byref(ierror))  # waits
mpi.mpi_send_(byref(me), byref(one), byref(number), byref(other), byref(tag), byref(world), byref(ierror))
mpi.mpi_finalize_(byref(ierror))
