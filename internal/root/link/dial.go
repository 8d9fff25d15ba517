package link

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/resolver"
	"google.golang.org/grpc/resolver/manual"
)

// dialer is the dialling end of a link: its addresses, and the connections that there are.
type dialer struct {
	link      *Link
	version   string
	addresses []string
	options   Options
	tls       *tls.Config
	client    *grpc.ClientConn

	mu       sync.Mutex
	failures map[string]error               // of the last attempt to connect, by address
	open     map[*proven]context.CancelFunc // what ends the stream of each connection
}

// Dial makes a link to a hub of the same job, by the first of its addresses (host:port) that works; a connection that
// breaks later is made again by any of them. The hub gets hello, of at most 32 KiB, once. The context is for dialling
// only. The error says what went wrong with each address, or that the hub's version of unknot is another one.
func (o Options) Dial(ctx context.Context, key Key, addresses []string, version string, hello []byte) (*Link, error) {
	config, err := key.config()
	if err != nil {
		return nil, err
	}
	if len(hello) > maxHello || len(version) > maxVersion {
		return nil, fmt.Errorf("a hello of %d bytes and a version of %d: at most %d and %d go over a link", len(hello),
			len(version), maxHello, maxVersion)
	}
	if len(addresses) == 0 {
		return nil, errors.New("no address to dial")
	}
	var id linkID
	if _, err := rand.Read(id[:]); err != nil {
		return nil, fmt.Errorf("no random bytes to name a link: %w", err)
	}
	o = o.withDefaults()
	d := &dialer{
		link: newLink(id, hello, o), version: version, addresses: addresses, options: o, tls: config,
		failures: make(map[string]error), open: make(map[*proven]context.CancelFunc),
	}
	if d.client, err = d.newClient(); err != nil {
		return nil, err
	}
	up, err := d.connect(ctx, false)
	if err != nil {
		d.link.finish(ErrClosed)
		d.close()
		d.link.running.Wait()
		return nil, err
	}
	d.link.running.Add(1)
	go func() {
		defer d.link.running.Done()
		d.keep(up)
	}()
	return d.link, nil
}

// newClient has gRPC dial the addresses, side by side if one does not answer at once, and again whenever a stream is
// wanted.
func (d *dialer) newClient() (*grpc.ClientConn, error) {
	addresses := manual.NewBuilderWithScheme("unknot")
	var state resolver.State
	for _, address := range d.addresses {
		state.Endpoints = append(state.Endpoints, resolver.Endpoint{Addresses: []resolver.Address{{Addr: address}}})
	}
	addresses.InitialState(state)
	return grpc.NewClient("unknot:///job",
		grpc.WithResolvers(addresses),
		grpc.WithContextDialer(d.dial),
		grpc.WithTransportCredentials(insecure.NewCredentials()), // dial has done TLS
		grpc.WithNoProxy(),
		grpc.WithDisableServiceConfig(),
		grpc.WithDisableRetry(),
		grpc.WithIdleTimeout(0),
		grpc.WithStaticStreamWindowSize(window),
		grpc.WithStaticConnWindowSize(window),
		grpc.WithConnectParams(grpc.ConnectParams{
			Backoff: backoff.Config{BaseDelay: minBackoff, Multiplier: 1.6, Jitter: 0.2,
				MaxDelay: maxBackoff},
			MinConnectTimeout: d.options.Handshake,
		}),
		grpc.WithKeepaliveParams(keepalive.ClientParameters{
			Time: d.options.KeepAlive, Timeout: d.options.KeepAlive, PermitWithoutStream: true,
		}),
		grpc.WithDefaultCallOptions(grpc.ForceCodecV2(codec{}), grpc.MaxCallRecvMsgSize(maxFrame)),
	)
}

// dial makes a connection to one address, and has the other end prove the key.
func (d *dialer) dial(ctx context.Context, address string) (net.Conn, error) {
	c, err := d.prove(ctx, address)
	d.mu.Lock()
	defer d.mu.Unlock()
	if err != nil {
		if ctx.Err() != context.Canceled { // another address was faster
			d.failures[address] = err
		}
		return nil, err
	}
	delete(d.failures, address)
	d.open[c] = func() {}
	return c, nil
}

func (d *dialer) prove(ctx context.Context, address string) (*proven, error) {
	ctx, cancel := context.WithTimeout(ctx, d.options.Handshake)
	defer cancel()
	var dialer net.Dialer
	raw, err := dialer.DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, dialFault(err, d.options.Handshake)
	}
	secure := tls.Client(raw, d.tls)
	if err := secure.HandshakeContext(ctx); err != nil {
		raw.Close()
		return nil, errors.New(tlsFault(err, d.options.Handshake))
	}
	return &proven{Conn: secure, raw: raw, address: address, closed: d.forget}, nil
}

// forget is called when a connection is closed, by gRPC or here. Its stream ends with it, even if nobody reads that
// now.
func (d *dialer) forget(c *proven) {
	d.mu.Lock()
	stop := d.open[c]
	delete(d.open, c)
	d.mu.Unlock()
	if stop != nil {
		stop()
	}
}

// use has stop called when a connection is closed.
func (d *dialer) use(c *proven, stop context.CancelFunc) {
	d.mu.Lock()
	_, open := d.open[c]
	if open {
		d.open[c] = stop
	}
	d.mu.Unlock()
	if !open {
		stop()
	}
}

// hangUp closes all connections.
func (d *dialer) hangUp() {
	d.mu.Lock()
	var open []*proven
	for c := range d.open {
		open = append(open, c)
	}
	d.mu.Unlock()
	for _, c := range open {
		c.Close()
	}
}

// close ends what gRPC does for the link. Connections are closed first: gRPC would wait for one that does not take its
// farewell.
func (d *dialer) close() {
	d.hangUp()
	d.client.Close()
}

// upstream is a stream on which the link is up.
type upstream struct {
	grpc.ClientStream
	ctx        context.Context
	connection *connection
}

// errUnknown is that the hub does not know the link any more.
var errUnknown = errors.New("the other end does not know it any more: it was closed there or restarted")

// connect brings the link up by a stream. The first time it fails as soon as all addresses have; later it waits until
// one works.
func (d *dialer) connect(ctx context.Context, resumes bool) (up *upstream, err error) {
	streamCtx, stop := context.WithCancel(d.link.over)
	released := context.AfterFunc(ctx, stop)
	defer released()
	defer func() {
		if err != nil {
			stop()
		}
	}()
	c, err := d.link.attach(stop)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			d.link.detach(c)
		}
	}()

	description := grpc.StreamDesc{StreamName: methodName, ServerStreams: true, ClientStreams: true}
	s, err := d.client.NewStream(streamCtx, &description, "/"+serviceName+"/"+methodName, grpc.WaitForReady(resumes))
	if err != nil {
		return nil, d.fault(ctx, err)
	}
	late := time.AfterFunc(d.options.Handshake, stop)
	defer late.Stop()
	join := frame{kind: kindJoin, protocol: protocol, version: d.version, id: d.link.id, resumes: resumes,
		hello: d.link.hello}
	var data []byte
	err = s.SendMsg(d.link.first(join))
	if err == nil || errors.Is(err, io.EOF) {
		err = s.RecvMsg(&data)
	}
	if err != nil {
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		return nil, fmt.Errorf("%s: the connection broke, or there was no answer to the first frame within %v: %w",
			strings.Join(d.addresses, " or "), d.options.Handshake, err)
	}
	conn := connectionOf(s.Context())
	if conn == nil {
		return nil, errors.New("a stream without a connection")
	}
	d.use(conn, stop)
	if err := d.welcome(conn.address, data); err != nil {
		return nil, err
	}
	if !late.Stop() {
		return nil, context.DeadlineExceeded
	}
	return &upstream{ClientStream: s, ctx: streamCtx, connection: c}, nil
}

// welcome takes in the other end's first frame.
func (d *dialer) welcome(address string, data []byte) error {
	f, err := decodeFrame(data)
	switch {
	case err != nil:
		return errPeer{fmt.Errorf("%s: %w", address, err)}
	case f.kind == kindRefusal && f.refusal == unknownLink:
		return errUnknown
	case f.kind == kindRefusal:
		return errVersion{fmt.Errorf("%s runs %s; hint: install the same unknot on all hosts", address,
			differing(f, d.version))}
	case f.kind != kindWelcome:
		return errPeer{fmt.Errorf("%s: a frame of kind %d came first", address, f.kind)}
	}
	if err := d.link.begin(f); err != nil {
		return errPeer{err}
	}
	return nil
}

// errVersion is that the hub runs another version.
type errVersion struct{ error }

// ErrNoConnection is that none of the addresses could be connected to.
var ErrNoConnection = errors.New("no connection")

// fault says what went wrong with each address.
func (d *dialer) fault(ctx context.Context, err error) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	var faults []string
	for _, address := range d.addresses {
		fault := d.failures[address]
		switch {
		case fault != nil:
		case ctx.Err() != nil:
			fault = errors.New("no answer yet")
		default:
			fault = err
		}
		faults = append(faults, fmt.Sprintf("%s: %v", address, fault))
	}
	if ctx.Err() != nil {
		return fmt.Errorf("%w (%w): %s", ErrNoConnection, ctx.Err(), strings.Join(faults, "; "))
	}
	return fmt.Errorf("%w: %s", ErrNoConnection, strings.Join(faults, "; "))
}

// keep serves the link until it is over, by one connection after another.
func (d *dialer) keep(up *upstream) {
	defer d.close()
	l := d.link
	pause := time.NewTimer(0)
	defer pause.Stop()
	for wait := minBackoff; ; wait = min(2*wait, maxBackoff) {
		var err error
		if up != nil {
			wait = minBackoff
			err = l.serve(up.ctx, up.connection, up, up.CloseSend)
			up.connection.stop()
		}
		l.ending(err)
		d.hangUp() // one stream for each connection, so that nothing of the old one is in the way
		pause.Reset(wait)
		select {
		case <-l.over.Done():
			return
		case <-pause.C:
		}
		if up, err = d.connect(l.over, true); err != nil {
			d.judge(err)
		}
	}
}

// judge ends the link if connecting failed for good.
func (d *dialer) judge(err error) {
	var wrong errPeer
	var version errVersion
	if errors.Is(err, errUnknown) || errors.As(err, &wrong) || errors.As(err, &version) {
		d.link.finish(fmt.Errorf("%w: %w", ErrLost, err))
	}
}
