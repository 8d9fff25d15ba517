package driver

// Help is what upcc --help prints.
const Help = `usage: unknot upcc [options] FILE …

Compiles UPC programs (UPC 1.3) for the MPI library of mpicc. Sources are *.upc and *.c, or any file with -x upc; other files and options
are as for gcc.

    unknot upcc -o cg cg.upc util.upc -O2 -lm
    unknot upcrun -n 4 ./cg

  -T N            compile for N threads: THREADS is a constant (static THREADS environment); also -T=N, -fupc-threads-N
  -o FILE         write the output to FILE
  -c, -S, -E      produce objects, assembly, preprocessed text
  -x upc          treat the following sources as UPC, whatever their names; -x c: as C; -x none: by their names
  -I -D -U -L -l, -O…, -g, -W… and others as for gcc
  --check=race    record accesses to shared memory, so that upcrun reports data races
  --save-temps    keep intermediate files: x.i, preprocessed, and x.lowered.c, translated to C
  --mpicc PATH    compiler wrapper of the MPI library (default: mpicc)
  --native CMD    check the sources, then compile them with another UPC compiler (gupc, upcc, cc)
  -v              show the commands

Environment of a program: UPC_SHARED_HEAP_SIZE, the maximum shared heap per thread (default 256M).

Exit status: 0; that of the compiler, 1 for errors in a source; 2 for a wrong command line; 3 if unknot failed.
`

// CheckHelp is what upc-check --help prints.
const CheckHelp = `usage: upc-check [options] FILE …        (or unknot upc-check)

Compiles UPC programs as unknot upcc does and inserts checks: of the arguments of library functions, of the order of collective
operations, and for deadlocks. Errors are reported while the program runs.

    upc-check -o cg cg.upc util.upc -O2 -lm
    unknot upcrun -n 4 ./cg

  -a, -d_argument_check          no argument checks
  -d, -d_deadlock_check          no checks for deadlocks or for the order of collective operations
  -s, -e_track_func_call_stack   track the calls of the program's functions, so that findings show the call stack
  -h                             this text
  --upccheck:FLAG                the same flags, where they conflict with compiler options
  --race                         also record accesses to shared memory, so that upcrun reports data races
  --pointers                     also check each access through a pointer, pointer arithmetic and subscripts
  -c                             compile x.upc to x.instrumented.o, unless -o names the output

All other options are those of unknot upcc; see unknot help upcc. To strip a program, use -Wl,-s.

Environment of a program:
  UPCCHECK_STOP_ON_ERROR=FALSE     continue after an error
  UPCCHECK_LIVELOCK_TIMEOUT=SECS   how long upc_lock_attempt may fail before a report (default 300)
  UPCCHECK_SUSPICIOUS=TRUE         also report what is legal but rarely intended
  UNKNOT_UPC_REPORT=FILE           also write each finding to FILE, as a line of JSON

Exit status: 0; that of the compiler, 1 for errors in a source; 2 for a wrong command line; 3 if unknot failed.
`

// RunHelp is what upcrun --help prints.
const RunHelp = `usage: unknot upcrun [-n N] [options] PROGRAM …

Starts a program compiled by unknot upcc with N threads, using the launcher of the MPI library that it is linked with. A program
compiled with -T has a fixed number of threads.

    unknot upcrun -n 4 ./cg input.txt
    UPC_SHARED_HEAP_SIZE=2G unknot upcrun -n 4 ./cg

A program compiled with --check=race is watched, and its data races are reported:

  --race-sampling CHOICE   which accesses are compared: none (only transfers by the library), all, or samples by place (I), by
                           function (F) or by loop and place (H). With A, places that access private memory pause;
                           F and H may have a factor (default HA0.5). P and k2 to k4: see docs/upc.md
  --race-seed N            sample other accesses than with another seed (default 0)
  --slowdown N             limit the slow-down to a factor N, such as 1.2 (default none)
  --confirm                run again for each race found, twice, with its threads held so that they meet
  --race-memory SIZE       memory for recorded accesses, such as 64M (default 512M)

It is an MPI program: mpirun -n 4 ./cg does the same and accepts options for several hosts. unknot run mpirun … watches it.

Exit status: that of the launcher; 66 if there are data races; 2 for a wrong command line; 3 if unknot failed.
`
