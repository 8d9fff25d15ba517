#!/bin/bash
# Puts the inputs of the programs that `go run ./bench/folding` measures into build/measured: it installs Debian's packages of them, and makes a box of
# water with GROMACS's own tools. What is there already is kept.
set -euo pipefail
cd "$(dirname "$0")/../.."
dir=$PWD/build/measured
mkdir -p "$dir"/{lammps,hpcc,netpipe,gromacs,scalapack}

. scripts/packages.sh
install_packages measured lammps lammps-examples hpcc netpipe-openmpi gromacs scalapack-mpi-test

sed 's/^run.*/run 1000/' /usr/share/lammps/examples/melt/in.melt >"$dir/lammps/in.melt"
sed -e 's/^[0-9]* *Ns$/200 Ns/' -e 's/^[0-9]* *NBs$/32 NBs/' -e 's/^2 *Ps$/1 Ps/' /usr/share/doc/hpcc/examples/_hpccinf.txt >"$dir/hpcc/hpccinf.txt"
cp /usr/share/scalapack/*.dat "$dir/scalapack"

cd "$dir/gromacs"
[ ! -e water.tpr ] || exit 0
gmx() { command gmx -quiet -nobackup "$@" >>gmx.log 2>&1; }
cat >topol.top <<-'END'
	#include "oplsaa.ff/forcefield.itp"
	#include "oplsaa.ff/spce.itp"
	[ system ]
	water
	[ molecules ]
END
common='cutoff-scheme = Verlet
coulombtype = PME
rcoulomb = 0.9
rvdw = 0.9'
printf 'integrator = steep\nnsteps = 200\nconstraints = none\n%s\n' "$common" >rest.mdp
printf 'integrator = md\nnsteps = 1000\ndt = 0.002\nconstraints = h-bonds\ntcoupl = v-rescale\ntc-grps = System\ntau-t = 0.1\nref-t = 300\ngen-vel = yes\ngen-seed = 1\n%s\n' "$common" >md.mdp
gmx solvate -cs spc216.gro -box 3 3 3 -o water.gro -p topol.top
gmx grompp -f rest.mdp -c water.gro -p topol.top -o rest.tpr -maxwarn 5
gmx mdrun -s rest.tpr -c rest.gro -ntmpi 1 -ntomp 1 -pin off
gmx grompp -f md.mdp -c rest.gro -p topol.top -o new.tpr -maxwarn 5
mv new.tpr water.tpr
rm -f step*.pdb
