-- The module of unknot for Lmod. Its directory is the one that it was installed in, three above this file:
-- module use DIRECTORY/share/modulefiles; module load unknot. In a tree of modules of your own, write that directory here instead.
local root = myFileName():match("^(.*)/share/modulefiles/unknot/[^/]*$")

whatis("Name: unknot")
whatis("Version: " .. myModuleVersion())
whatis("Description: finds errors in MPI, OpenSHMEM and UPC programs while they run")
help([[
unknot run, put before the usual command line of a job, reports deadlocks and wrong uses of MPI:

    unknot run mpirun -n 4 ./app

Load the MPI library of the program too: unknot uses its mpicc. See man unknot.
]])

conflict("unknot")
prepend_path("PATH", pathJoin(root, "bin"))
prepend_path("MANPATH", pathJoin(root, "share/man"))
