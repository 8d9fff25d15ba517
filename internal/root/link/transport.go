package link

import (
	"context"
	"fmt"
	"io"
	"net"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/grpclog"
	"google.golang.org/grpc/mem"
	"google.golang.org/grpc/peer"
)

// gRPC logs for the whole process, to standard error unless it is configured before its first use. What goes wrong
// with a link is in the errors of this room.
func init() {
	grpclog.SetLoggerV2(grpclog.NewLoggerV2(io.Discard, io.Discard, io.Discard))
}

const (
	serviceName = "unknot.Link"
	methodName  = "Join"
)

// service describes the one method: a stream in both directions, whose messages are frames.
func service(join grpc.StreamHandler) *grpc.ServiceDesc {
	return &grpc.ServiceDesc{
		ServiceName: serviceName,
		Streams: []grpc.StreamDesc{{StreamName: methodName, Handler: join, ServerStreams: true,
			ClientStreams: true}},
	}
}

// codec hands bytes to gRPC and takes them from it as they are.
type codec struct{}

func (codec) Marshal(message any) (mem.BufferSlice, error) {
	data, ok := message.([]byte)
	if !ok {
		return nil, fmt.Errorf("a frame is bytes, not %T", message)
	}
	return mem.BufferSlice{mem.SliceBuffer(data)}, nil
}

func (codec) Unmarshal(data mem.BufferSlice, message any) error {
	to, ok := message.(*[]byte)
	if !ok {
		return fmt.Errorf("a frame is bytes, not %T", message)
	}
	*to = data.Materialize()
	return nil
}

func (codec) Name() string { return "frames" }

// proven is a connection over TLS whose other end has proven the key, as gRPC gets it: it neither does TLS nor knows of
// it.
type proven struct {
	net.Conn // with TLS
	raw      net.Conn
	address  string      // what was dialled, or who dialled
	idle     *time.Timer // the listening end: closes the connection unless there is a stream
	closed   func(*proven)
}

// Close closes the connection without a word to the other end, for which it would have to wait if that does not read.
func (c *proven) Close() error {
	if c.idle != nil {
		c.idle.Stop()
	}
	if c.closed != nil {
		c.closed(c)
	}
	return c.raw.Close()
}

// RemoteAddr takes the connection along to the streams that gRPC makes of it.
func (c *proven) RemoteAddr() net.Addr { return provenAddr{c.raw.RemoteAddr(), c} }

type provenAddr struct {
	net.Addr
	conn *proven
}

// connectionOf returns the connection of a stream by its context, or nil.
func connectionOf(ctx context.Context) *proven {
	if p, ok := peer.FromContext(ctx); ok {
		if address, ok := p.Addr.(provenAddr); ok {
			return address.conn
		}
	}
	return nil
}
