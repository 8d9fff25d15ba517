package supervise

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"unknot/internal/observe/ring"
	"unknot/internal/root/link"
)

// Firewall is what to ask for if a host cannot connect to that of the supervisor.
const Firewall = "the firewall must let this host connect to such a port of the host of unknot run; --bind names " +
	"another address or a port for it"

// withWay adds to an error of joining what to ask for if nothing could be connected to.
func withWay(err error) error {
	if !errors.Is(err, link.ErrNoConnection) {
		return err
	}
	return fmt.Errorf("%w; hint: %s", err, Firewall)
}

// Reach joins what listens for `unknot doctor --hosts`, and leaves again: what the agent of a host would do first.
func Reach(ctx context.Context, version string, stderr io.Writer) int {
	to, err := link.ParseInvitation(os.Getenv(ring.EnvLink))
	if err == nil {
		var l *link.Link
		if l, err = link.Dial(ctx, to.Key, to.Addresses, version, nil); err == nil {
			l.Abort()
			return 0
		}
	}
	fmt.Fprintln(stderr, withWay(err))
	return ExitTool
}
