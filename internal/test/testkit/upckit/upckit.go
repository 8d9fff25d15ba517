// Package upckit is what the tests of the UPC rooms share.
package upckit

import (
	"bytes"
	"context"
	"fmt"

	"unknot/internal/upc/driver"
)

// Link makes a program of objects for an MPI library as unknot upcc does: with the run-time that it keeps in the user's
// cache, which is compiled once for the tests of all packages.
func Link(ctx context.Context, mpicc, program string, objects ...string) error {
	var told bytes.Buffer
	args := append([]string{"--mpicc", mpicc, "-o", program}, objects...)
	if status := driver.Compile(ctx, args, &told, &told); status != 0 {
		return fmt.Errorf("upcc %q: exit status %d\n%s", args, status, told.Bytes())
	}
	return nil
}
