package driver

// Help is what upcc --help prints.
const Help = `usage: unknot upcc [options] FILE …

Compiles UPC programs (UPC 1.3) for the MPI library of mpicc. Sources are *.upc and *.c, or any with -x upc; other files and options are
those of gcc.

    unknot upcc -o cg cg.upc util.upc -O2 -lm
    unknot upcrun -n 4 ./cg

  -T N            compile for N threads: THREADS is a constant (static THREADS environment); also -T=N, -fupc-threads-N
  -o FILE         the name of the result
  -c, -S, -E      make objects, assembly, preprocessed text
  -x upc          treat the sources that follow as UPC, whatever their names; -x c as C, -x none by their names
  -I -D -U -L -l, -O…, -g, -W… and others as gcc
  --save-temps    keep what is between: x.i, preprocessed, and x.lowered.c, translated to C
  --mpicc PATH    compiler wrapper of the MPI library (default: mpicc)
  --native CMD    check the sources, and have another UPC compiler (gupc, upcc, cc) make the program
  -v              show the commands

In the environment of a program: UPC_SHARED_HEAP_SIZE, the most shared memory of a thread (default 256M).

Exit status: 0; that of the compiler, 1 for errors in a source; 2 for a command line that means nothing; 3 if unknot failed.
`

// CheckHelp is what upc-check --help prints.
const CheckHelp = `usage: upc-check [options] FILE …        (or unknot upc-check)

Compiles UPC programs as unknot upcc does, and puts checks into them: of the arguments of library functions, of the order of collective
operations, and for deadlocks. What is wrong is told while the program runs.

    upc-check -o cg cg.upc util.upc -O2 -lm
    unknot upcrun -n 4 ./cg

  -a, -d_argument_check          no checks of arguments
  -d, -d_deadlock_check          no checks for deadlocks and of the order of collective operations
  -s, -e_track_func_call_stack   follow the calls of the program's functions, so that findings show them
  -h                             this text
  --upccheck:FLAG                the same flags, where a compiler option of the name is meant otherwise
  -c                             make x.instrumented.o of x.upc, unless -o names it

All other options are those of unknot upcc; unknot help upcc lists them. To strip a program, give -Wl,-s.

In the environment of a program:
  UPCCHECK_STOP_ON_ERROR=FALSE     go on after an error
  UPCCHECK_LIVELOCK_TIMEOUT=SECS   how long upc_lock_attempt may fail in turn before that is told (default 300)
  UPCCHECK_SUSPICIOUS=TRUE         also tell what is legal and rarely meant
  UNKNOT_UPC_REPORT=FILE           also write each finding to FILE, as a line of JSON

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
