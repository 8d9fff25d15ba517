// Package shmem_test runs programs with OpenSHMEM under unknot, as a user does.
package shmem_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"unknot/internal/observe/launch"
	"unknot/internal/observe/probe"
	shmem "unknot/internal/shmem/probe"
	"unknot/internal/test/testkit"
	"unknot/internal/vocab/finding"
)

// environment is that of a job: Open MPI 4.1 crashes in shmem_finalize if it replaces functions that map memory
// (docs/shmem.md). Jobs that start at the same moment each have a separate directory.
func environment(t *testing.T) []string {
	env := append(os.Environ(), "OMPI_MCA_memory=^patcher", "OMPI_MCA_rmaps_base_oversubscribe=1",
		"OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1",
		"OMPI_MCA_orte_tmpdir_base="+t.TempDir(), "OMPI_MCA_pml=ob1", "HWLOC_COMPONENTS=-pci,-linuxio")
	return append(env, testkit.Polite()...)
}

// compiled is a program, compiled with what is defined.
func compiled(t *testing.T, source string, defined ...string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), strings.TrimSuffix(filepath.Base(source), ".c"))
	args := []string{"-std=gnu11", "-g", "-O1", "-Wall", "-Werror", "-o", name, source, "-lpthread"}
	for _, d := range defined {
		args = append(args, "-D"+d)
	}
	if out, err := exec.Command("oshcc", args...).CombinedOutput(); err != nil {
		t.Fatalf("oshcc %s: %v\n%s", source, err, out)
	}
	return name
}

// tested is a program whose own accesses are seen, compiled with what is defined.
func tested(t *testing.T, source string, defined ...string) string {
	t.Helper()
	extension := filepath.Ext(source)
	name := filepath.Join(t.TempDir(), strings.TrimSuffix(filepath.Base(source), extension))
	args := []string{"oshcc", "-std=gnu11"}
	if extension == ".cc" {
		args = []string{"oshcxx", "-std=gnu++17"}
	}
	args = append(args, "-g", "-O2", "-Wall", "-Werror", "-o", name, source, "-lpthread")
	for _, d := range defined {
		args = append(args, "-D"+d)
	}
	if out, err := exec.Command(testkit.Unknot(t), args...).CombinedOutput(); err != nil || len(out) > 0 {
		t.Fatalf("unknot %v: %v\n%s", args, err, out)
	}
	return name
}

// patience is far more than any of the programs needs, once the probes are there.
const patience = time.Minute

// prepared has the probes for a program made: where much else is compiled at the same time, that takes longer than
// anything that has a time limit may.
func prepared(t *testing.T, program string) {
	t.Helper()
	job, err := launch.Recognise([]string{"oshrun", "-n", "1", program}, launch.Options{})
	if err == nil {
		_, err = probe.Build(t.Context(), probe.Options{MPICC: job.MPICC, Soname: job.MPI.Soname,
			Family: job.MPI.Family.String()})
	}
	if err == nil {
		_, err = shmem.Build(t.Context(), shmem.Options{Compiler: job.OSHCC})
	}
	if err != nil {
		t.Fatal(err)
	}
}

// watched runs a program with so many PEs under unknot, and gives what was found, and what was printed.
func watched(t *testing.T, pes string, program string, args ...string) (finding.Run, string) {
	t.Helper()
	return watchedWith(t, nil, pes, program, args...)
}

// watchedWith does so with options of unknot.
func watchedWith(t *testing.T, options []string, pes string, program string, args ...string) (finding.Run, string) {
	t.Helper()
	prepared(t, program)
	ctx, stop := context.WithTimeout(t.Context(), patience)
	defer stop()
	report := filepath.Join(t.TempDir(), "found.json")
	command := slices.Concat([]string{"run", "--json", report}, options, []string{"oshrun", "-n", pes, program}, args)
	cmd := exec.CommandContext(ctx, testkit.Unknot(t), command...)
	cmd.Env = environment(t)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	standing := ""
	cmd.Cancel = func() error {
		standing = testkit.Below(cmd.Process.Pid)
		return cmd.Process.Kill()
	}
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) || ctx.Err() != nil {
		t.Fatalf("%v: %v\n%s\n%s", command, err, out.String(), standing)
	}
	text, err := os.ReadFile(report)
	if err != nil {
		t.Fatalf("%v: %v\n%s", command, err, out.String())
	}
	var run finding.Run
	if err := json.Unmarshal(text, &run); err != nil {
		t.Fatal(err)
	}
	return run, out.String()
}

// sources are the programs of a directory.
func sources(t *testing.T, pattern string) []string {
	t.Helper()
	testkit.NeedsMPI(t)
	all, err := filepath.Glob(pattern)
	if err != nil || len(all) == 0 {
		t.Fatalf("%s: %v", pattern, err)
	}
	return all
}

// remarks are the comments at the ends of lines that match, with the numbers of these.
func remarks(t *testing.T, source string, what *regexp.Regexp) (lines []int, parts [][]string) {
	t.Helper()
	text, err := os.ReadFile(source)
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(string(text), "\n") {
		for _, m := range what.FindAllStringSubmatch(line, -1) {
			lines, parts = append(lines, i+1), append(parts, m)
		}
	}
	return lines, parts
}
