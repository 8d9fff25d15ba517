package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"

	"unknot/internal/upc/driver"
)

func upccCommand(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	return driver.Compile(ctx, args, stdout, stderr)
}

func upcCheckCommand(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	return driver.Check(ctx, args, stdout, stderr)
}

func upcrunCommand(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	return driver.Run(ctx, args, os.Stdin, stdout, stderr)
}
