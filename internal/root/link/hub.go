package link

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/status"
)

// Hub listens for links.
type Hub struct {
	version   string
	options   Options
	tls       *tls.Config
	accepted  func(*Link)
	listeners []net.Listener
	proven    *handover
	server    *grpc.Server
	slots     chan struct{} // one for each connection that has not proven the key
	refused   *refusals
	open      context.Context // done when the hub closes
	stop      context.CancelFunc
	running   sync.WaitGroup

	mu    sync.Mutex
	links map[linkID]*Link
}

// Listen listens on addresses (host:port, port 0 for any that is free). For each new link it calls accepted, on a
// goroutine of the hub that accepted may keep; a link that continues over another connection is none. The error names
// the address that cannot be listened on.
func (o Options) Listen(key Key, addresses []string, version string, accepted func(*Link)) (*Hub, error) {
	config, err := key.config()
	if err != nil {
		return nil, err
	}
	if len(addresses) == 0 {
		return nil, errors.New("no address to listen on")
	}
	if len(version) > maxVersion {
		return nil, fmt.Errorf("a version of %d bytes: at most %d go over a link", len(version), maxVersion)
	}
	h := &Hub{
		version: version, options: o.withDefaults(), tls: config, accepted: accepted,
		slots: make(chan struct{}, maxUnproven), refused: newRefusals(), links: make(map[linkID]*Link),
	}
	h.open, h.stop = context.WithCancel(context.Background())
	for _, address := range addresses {
		listener, err := net.Listen("tcp", address)
		if err != nil {
			for _, before := range h.listeners {
				before.Close()
			}
			return nil, fmt.Errorf("cannot listen for the job's other hosts: %w", err)
		}
		h.listeners = append(h.listeners, listener)
	}
	h.proven = &handover{conns: make(chan net.Conn), closed: h.open}
	h.server = h.newServer()
	h.running.Go(func() { _ = h.server.Serve(h.proven) }) // until Stop
	for _, listener := range h.listeners {
		h.running.Go(func() { h.accept(listener) })
	}
	return h, nil
}

func (h *Hub) newServer() *grpc.Server {
	server := grpc.NewServer(
		grpc.ForceServerCodecV2(codec{}),
		grpc.MaxRecvMsgSize(maxFrame),
		grpc.MaxConcurrentStreams(1),
		grpc.StaticStreamWindowSize(window),
		grpc.StaticConnWindowSize(window),
		grpc.ConnectionTimeout(h.options.Handshake),
		grpc.WaitForHandlers(true),
		grpc.KeepaliveParams(keepalive.ServerParameters{Time: h.options.KeepAlive, Timeout: h.options.KeepAlive}),
		grpc.KeepaliveEnforcementPolicy(keepalive.EnforcementPolicy{MinTime: time.Second, PermitWithoutStream: true}),
	)
	server.RegisterService(service(func(_ any, s grpc.ServerStream) error { return h.join(s) }), nil)
	return server
}

// Addresses returns where the hub listens, as host:port.
func (h *Hub) Addresses() []string {
	var addresses []string
	for _, listener := range h.listeners {
		addresses = append(addresses, listener.Addr().String())
	}
	return addresses
}

// Refused returns the channel of sentences on connections that were refused. They are not kept for long, and there are
// not more of them than a reader can follow.
func (h *Hub) Refused() <-chan string { return h.refused.sentences }

// Close stops listening, and ends at once all links that were not closed before. It returns when nothing of the hub is
// left, accepted included.
func (h *Hub) Close() {
	h.mu.Lock()
	h.stop()
	var links []*Link
	for _, l := range h.links {
		links = append(links, l)
	}
	h.mu.Unlock()
	for _, listener := range h.listeners {
		listener.Close()
	}
	for _, l := range links {
		l.finish(ErrClosed)
	}
	h.server.Stop()
	for _, l := range links {
		l.Abort()
	}
	h.running.Wait()
}

func (h *Hub) accept(listener net.Listener) {
	said := false // that none can be accepted
	for {
		raw, err := listener.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil { // no descriptors, say: others may give some back
			if !said {
				h.refused.add("no other host can connect: %v; hint: raise the limit of open files (ulimit -n)", err)
				said = true
			}
			select {
			case <-time.After(minBackoff):
				continue
			case <-h.open.Done():
				return
			}
		}
		said = false
		select {
		case h.slots <- struct{}{}:
			h.running.Go(func() { h.prove(raw) })
		default:
			h.refused.add("a connection from %s was refused: %d others have not proven the job's key",
				raw.RemoteAddr(), maxUnproven)
			raw.Close()
		}
	}
}

// prove has a new connection prove the key, and hands it to gRPC then.
func (h *Hub) prove(raw net.Conn) {
	ctx, cancel := context.WithTimeout(h.open, h.options.Handshake)
	defer cancel()
	secure := tls.Server(raw, h.tls)
	err := secure.HandshakeContext(ctx)
	<-h.slots
	if err != nil {
		if h.open.Err() == nil {
			h.refused.add("a connection from %s was refused: %s", raw.RemoteAddr(), tlsFault(err, h.options.Handshake))
		}
		raw.Close()
		return
	}
	c := &proven{Conn: secure, raw: raw, address: raw.RemoteAddr().String()}
	c.idle = time.AfterFunc(h.options.Handshake, func() {
		h.refused.add("a connection from %s was refused: it proved the job's key, and asked for no link within %v",
			c.address, h.options.Handshake)
		raw.Close()
	})
	select {
	case h.proven.conns <- c:
	case <-h.open.Done():
		c.Close()
	}
}

// join serves one stream.
func (h *Hub) join(s grpc.ServerStream) error {
	conn := connectionOf(s.Context())
	if conn == nil {
		return status.Error(codes.Internal, "a stream without a connection")
	}
	var data []byte
	if err := s.RecvMsg(&data); err != nil {
		return err
	}
	// Without a stream the connection is of no use any more.
	conn.idle.Stop()
	defer time.AfterFunc(h.options.Handshake, func() { conn.Close() })

	f, err := decodeFrame(data)
	if err == nil && f.kind != kindJoin {
		err = errors.New("it does not begin as a link does")
	}
	if err != nil {
		h.refused.add("a connection from %s was refused: %v", conn.address, err)
		return status.Error(codes.InvalidArgument, err.Error())
	}
	if f.version != h.version || f.protocol != protocol {
		h.refused.add("a connection from %s was refused: it runs %s; hint: install the same unknot on all hosts",
			conn.address, differing(f, h.version))
		return s.SendMsg(h.refusal(otherVersion))
	}
	ctx, stop := context.WithCancel(s.Context())
	defer stop()
	l, c, fresh, err := h.find(f, stop)
	if err != nil {
		return s.SendMsg(h.refusal(unknownLink))
	}
	defer context.AfterFunc(l.over, stop)()
	err = l.begin(f)
	if begun := err == nil; fresh {
		h.running.Go(func() { h.hold(l, begun) })
	}
	if err != nil {
		l.detach(c)
		l.ending(errPeer{err})
		return status.Error(codes.InvalidArgument, err.Error())
	}
	if err := s.SendMsg(l.first(frame{kind: kindWelcome})); err != nil {
		l.detach(c)
		return err
	}
	err = l.serve(ctx, c, s, nil)
	l.ending(err)
	if err != nil && l.over.Err() == nil {
		return status.Error(codes.Unavailable, err.Error())
	}
	return nil
}

func (h *Hub) refusal(why refusal) []byte {
	f := frame{kind: kindRefusal, refusal: why, protocol: protocol, version: h.version}
	return f.encode()
}

// hold keeps a link in the list until it is over. One that has begun is handed to accepted, not before: that may end it
// at once, and the dialling end still hears that it was up.
func (h *Hub) hold(l *Link, begun bool) {
	if begun {
		h.accepted(l)
	}
	<-l.over.Done()
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.links, l.id)
}

// find returns the link that a connection is for, whether it is a new one, and has it use that connection.
func (h *Hub) find(f frame, stop context.CancelFunc) (l *Link, c *connection, fresh bool, err error) {
	h.mu.Lock()
	l = h.links[f.id]
	fresh = l == nil && !f.resumes && h.open.Err() == nil
	if fresh {
		l = newLink(f.id, f.hello, h.options)
		h.links[f.id] = l
	}
	h.mu.Unlock()
	if l == nil {
		return nil, nil, false, errUnknown
	}
	c, err = l.attach(stop)
	return l, c, fresh, err
}

// handover is the listener from which gRPC gets connections that have proven the key.
type handover struct {
	conns  chan net.Conn
	closed context.Context
}

func (h *handover) Accept() (net.Conn, error) {
	select {
	case c := <-h.conns:
		return c, nil
	case <-h.closed.Done():
		return nil, net.ErrClosed
	}
}

func (h *handover) Close() error { return nil }

func (h *handover) Addr() net.Addr { return &net.TCPAddr{} }
