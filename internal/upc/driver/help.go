package driver

// Help is what upcc --help prints.
const Help = `usage: unknot upcc [options] FILE …

Compiles UPC programs (UPC 1.3) for the MPI library of mpicc. Sources are *.upc, or any with -x upc; other files and options are those of
gcc.

    unknot upcc -o cg cg.upc util.upc -O2 -lm
    unknot upcrun -n 4 ./cg

  -T N            compile for N threads: THREADS is a constant (static THREADS environment)
  -o FILE         the name of the result
  -c, -S, -E      make objects, assembly, preprocessed text
  -x upc          treat the sources that follow as UPC, whatever their names
  -I -D -U -L -l, -O…, -g, -W… and others as gcc
  --save-temps    keep what is between: x.i, preprocessed, and x.lowered.c, translated to C
  --mpicc PATH    compiler wrapper of the MPI library (default: mpicc)
  --native CMD    check the sources, and have another UPC compiler (gupc, upcc, cc) make the program
  -v              show the commands

In the environment of a program: UPC_SHARED_HEAP_SIZE, the most shared memory of a thread (default 256M).

Exit status: 0; that of the compiler, 1 for errors in a source; 2 for a command line that means nothing; 3 if unknot failed.
`

// RunHelp is what upcrun --help prints.
const RunHelp = `usage: unknot upcrun [-n N] PROGRAM …

Starts a program that unknot upcc made, with N threads, by the launcher of the MPI library that it is linked with. A program that was
compiled with -T has its number of threads already.

    unknot upcrun -n 4 ./cg input.txt
    UPC_SHARED_HEAP_SIZE=2G unknot upcrun -n 4 ./cg

It is an MPI program: mpirun -n 4 ./cg does the same, and takes the options for several hosts. unknot run mpirun … watches it.

Exit status: that of the launcher; 2 for a command line that means nothing; 3 if unknot failed.
`
