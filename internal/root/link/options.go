package link

import (
	"context"
	"time"
)

// Options are the times of a link's end. Those that are zero have their default.
type Options struct {
	Grace     time.Duration // a link that is down for longer is lost; 30 s
	Handshake time.Duration // in which a new connection must have proven the key, and then sent its first frame; 5 s
	// after which a silent peer is asked for a sign of life, and how long it has to answer; 5 s (gRPC has a dialling
	// end ask after 10 s at the earliest)
	KeepAlive time.Duration
}

// DefaultGrace is Options.Grace if nobody has chosen it.
const DefaultGrace = 30 * time.Second

const (
	defaultHandshake = 5 * time.Second
	defaultKeepAlive = 5 * time.Second

	// maxUnproven is how many connections that have not proven the key a hub keeps at a time.
	maxUnproven = 1024

	// Connections are tried again after minBackoff at first, after maxBackoff at last.
	minBackoff = 50 * time.Millisecond
	maxBackoff = time.Second

	// window is what gRPC may have received of a stream before it is taken from it. A fixed one, as those that grow by
	// themselves would let a peer send more than a link wants to hold.
	window = 1 << 20
)

func (o Options) withDefaults() Options {
	set := func(d *time.Duration, value time.Duration) {
		if *d == 0 {
			*d = value
		}
	}
	set(&o.Grace, DefaultGrace)
	set(&o.Handshake, defaultHandshake)
	set(&o.KeepAlive, defaultKeepAlive)
	return o
}

// Listen is Options.Listen with the defaults.
func Listen(key Key, addresses []string, version string, accepted func(*Link)) (*Hub, error) {
	return Options{}.Listen(key, addresses, version, accepted)
}

// Dial is Options.Dial with the defaults.
func Dial(ctx context.Context, key Key, addresses []string, version string, hello []byte) (*Link, error) {
	return Options{}.Dial(ctx, key, addresses, version, hello)
}
