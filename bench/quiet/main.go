package quiet

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

// Main makes a measurement, for the main function of its command: until it is done or an interrupt ends its context. An
// error is printed behind the name of the command, and is its exit status.
func Main(name string, measure func(ctx context.Context) error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := measure(ctx); err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
		os.Exit(1)
	}
}
