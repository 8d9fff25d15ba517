package link

import (
	"bufio"
	"crypto/tls"
	"encoding/binary"
	"io"
	"net"
	"testing"
	"time"
)

// plain is what a link is measured against: a length and a message, over TLS, and nothing else.
type plain struct {
	net.Conn
	out *bufio.Writer // with the buffer of a batch, or of one message
	in  *bufio.Reader
}

func plainPair(b *testing.B, batch int) (from, to *plain) {
	b.Helper()
	config, err := newKey(b).config()
	if err != nil {
		b.Fatal(err)
	}
	listener, err := tls.Listen("tcp", "127.0.0.1:0", config)
	if err != nil {
		b.Fatal(err)
	}
	defer listener.Close()
	accepted := make(chan net.Conn)
	go func() {
		c, err := listener.Accept()
		if err == nil {
			err = c.(*tls.Conn).Handshake()
		}
		if err != nil {
			b.Error(err)
		}
		accepted <- c
	}()
	c, err := tls.Dial("tcp", listener.Addr().String(), config)
	if err != nil {
		b.Fatal(err)
	}
	end := func(c net.Conn) *plain {
		b.Cleanup(func() { c.Close() })
		return &plain{c, bufio.NewWriterSize(c, batch), bufio.NewReaderSize(c, 64<<10)}
	}
	return end(c), end(<-accepted)
}

func (p *plain) send(message []byte) error {
	var length [4]byte
	binary.BigEndian.PutUint32(length[:], uint32(len(message)))
	if _, err := p.out.Write(length[:]); err != nil {
		return err
	}
	_, err := p.out.Write(message)
	return err
}

func (p *plain) receive() ([]byte, error) {
	var length [4]byte
	if _, err := io.ReadFull(p.in, length[:]); err != nil {
		return nil, err
	}
	message := make([]byte, binary.BigEndian.Uint32(length[:]))
	_, err := io.ReadFull(p.in, message)
	return message, err
}

func linkPair(b *testing.B) (dialed, accepted *Link) {
	key := newKey(b)
	hub, links := listen(b, Options{}, key)
	dialed = dial(b, Options{}, key, hub.Addresses()[0])
	return dialed, <-links
}

const benchmarkSize = 64

func BenchmarkOneWay(b *testing.B) {
	b.Run("link", func(b *testing.B) {
		from, to := linkPair(b)
		message := make([]byte, benchmarkSize)
		b.ResetTimer()
		go func() {
			for range b.N {
				for from.Backlog() > 8<<20 {
					time.Sleep(100 * time.Microsecond)
				}
				from.Send(Bulk, message)
			}
		}()
		for range b.N {
			if _, err := to.Receive(); err != nil {
				b.Fatal(err)
			}
		}
	})
	for name, batch := range map[string]int{"plain, a frame for each": benchmarkSize + 4,
		"plain, batches of 64 KiB": 64 << 10} {
		b.Run(name, func(b *testing.B) {
			from, to := plainPair(b, batch)
			message := make([]byte, benchmarkSize)
			b.ResetTimer()
			go func() {
				for range b.N {
					if err := from.send(message); err != nil {
						b.Error(err)
						return
					}
				}
				if err := from.out.Flush(); err != nil {
					b.Error(err)
				}
			}()
			for range b.N {
				if _, err := to.receive(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkRoundTrip(b *testing.B) {
	b.Run("link", func(b *testing.B) {
		from, to := linkPair(b)
		message := make([]byte, benchmarkSize)
		go func() {
			for {
				message, err := to.Receive()
				if err != nil {
					return
				}
				to.Send(Urgent, message)
			}
		}()
		for b.Loop() {
			from.Send(Urgent, message)
			if _, err := from.Receive(); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("plain", func(b *testing.B) {
		from, to := plainPair(b, benchmarkSize+4)
		message := make([]byte, benchmarkSize)
		go func() {
			for {
				message, err := to.receive()
				if err != nil || to.send(message) != nil || to.out.Flush() != nil {
					return
				}
			}
		}()
		for b.Loop() {
			if err := from.send(message); err != nil {
				b.Fatal(err)
			}
			if err := from.out.Flush(); err != nil {
				b.Fatal(err)
			}
			if _, err := from.receive(); err != nil {
				b.Fatal(err)
			}
		}
	})
}
