package link

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
)

// TestWhoeverHasNoPlaceInTheJobIsRefusedInASentence has strangers connect beside a link that works.
func TestWhoeverHasNoPlaceInTheJobIsRefusedInASentence(t *testing.T) {
	t.Parallel()
	o := Options{Handshake: 300 * time.Millisecond}
	key, old := newKey(t), newKey(t)

	withTLS := func(config *tls.Config, write string) func(address string) error {
		return func(address string) error {
			c, err := tls.Dial("tcp", address, config)
			if err != nil {
				return err
			}
			defer c.Close()
			if _, err := c.Write([]byte(write)); err != nil {
				return err
			}
			_, err = c.Read(make([]byte, 1<<10)) // the hub's HTTP/2 settings, or that it hung up
			if err == nil {
				_, err = c.Read(make([]byte, 1<<10))
			}
			return err
		}
	}
	configOf := func(k Key) *tls.Config {
		config, err := k.config()
		if err != nil {
			t.Fatal(err)
		}
		return config
	}
	believing := func(k Key) *tls.Config { // whatever the hub says, to come as far as possible
		config := configOf(k)
		config.VerifyConnection = nil
		return config
	}
	stolen := configOf(old) // the job's certificate, which anybody can see, without its key
	stolen.Certificates[0].Certificate = configOf(key).Certificates[0].Certificate
	stolen.VerifyConnection = nil
	raw := func(write string) func(address string) error {
		return func(address string) error {
			c, err := net.Dial("tcp", address)
			if err != nil {
				return err
			}
			defer c.Close()
			if _, err := c.Write([]byte(write)); err != nil {
				return err
			}
			for {
				if _, err := c.Read(make([]byte, 1<<10)); err != nil {
					return err
				}
			}
		}
	}
	viaGRPC := func(config *tls.Config, first string) func(address string) error {
		return func(address string) error {
			client, err := grpc.NewClient(address,
				grpc.WithContextDialer(func(_ context.Context, _ string) (net.Conn, error) {
					return tls.Dial("tcp", address, config)
				}), grpc.WithTransportCredentials(insecure.NewCredentials()),
				grpc.WithDefaultCallOptions(grpc.ForceCodecV2(codec{})))
			if err != nil {
				return err
			}
			defer client.Close()
			description := grpc.StreamDesc{ServerStreams: true, ClientStreams: true}
			s, err := client.NewStream(t.Context(), &description, "/unknot.Link/Join")
			if err != nil {
				return err
			}
			if err := s.SendMsg([]byte(first)); err != nil {
				return err
			}
			var data []byte
			return s.RecvMsg(&data)
		}
	}

	for _, stranger := range []struct {
		name, want string
		come       func(address string) error
	}{
		{"garbage", "it does not speak TLS", raw("\x00\x01\x02\x03\x04\x05\x06\x07 garbage")},
		{"HTTP/2 without TLS", "it does not speak TLS", raw("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")},
		{"HTTP without TLS", "it does not speak TLS", func(address string) error {
			response, err := http.Get("http://" + address)
			if err == nil {
				response.Body.Close()
				if response.StatusCode == http.StatusOK {
					return nil
				}
				return errors.New(response.Status)
			}
			return err
		}},
		{"no certificate", "it has no certificate", withTLS(&tls.Config{InsecureSkipVerify: true}, "hello")},
		{"an old job's key", "its certificate was made for another job", withTLS(believing(old), "hello")},
		{"an old job's process", "", func(address string) error {
			_, err := o.Dial(t.Context(), old, []string{address}, "1.2.3", nil)
			if want := "no connection: " + address + ": its certificate was made for another job"; err == nil ||
				err.Error() != want {
				t.Errorf("the old job's process hears %v, want %s", err, want)
			}
			return err
		}},
		{"the job's certificate without its key", "the TLS handshake failed: .*signature", withTLS(stolen, "hello")},
		{"TLS 1.2", "the TLS handshake failed: .*version",
			withTLS(&tls.Config{InsecureSkipVerify: true, MaxVersion: tls.VersionTLS12}, "hello")},
		{"slow loris", "it did not complete TLS within 300ms", raw("\x16")},
		{"a silent one", "it did not complete TLS within 300ms", raw("")},
		{"one that leaves", "it closed the connection during the TLS handshake", func(address string) error {
			c, err := net.Dial("tcp", address)
			if err == nil {
				err = c.Close()
			}
			return errors.Join(err, errors.New("it left"))
		}},
		{"the key, then nothing", "it proved the job's key, and asked for no link within 300ms",
			withTLS(configOf(key), "")},
		{"the key, then no link", "it does not begin as a link does",
			viaGRPC(configOf(key), "\x01garbage that is long enough")},
		{"the key, then no frame", "it has frames of kind 103", viaGRPC(configOf(key), "garbage")},
		{"another version",
			`it runs unknot 1\.2\.4, this is unknot 1\.2\.3; hint: install the same unknot on all hosts`,
			func(address string) error {
				_, err := o.Dial(t.Context(), key, []string{address}, "1.2.4", nil)
				want := address + " runs unknot 1.2.3, this is unknot 1.2.4; hint: install the same unknot on all hosts"
				if err == nil || err.Error() != want {
					t.Errorf("the other version hears %v, want %s", err, want)
				}
				return err
			}},
	} {
		t.Run(stranger.name, func(t *testing.T) {
			t.Parallel()
			hub, links := listen(t, o, key)
			good := dial(t, o, key, hub.Addresses()[0])
			other := <-links
			if err := stranger.come(hub.Addresses()[0]); err == nil {
				t.Error("the stranger was let in")
			}
			if stranger.want != "" {
				sentence := <-hub.Refused()
				if !regexp.MustCompile(`^a connection from 127\.0\.0\.1:\d+ was refused: ` +
					stranger.want).MatchString(sentence) {
					t.Errorf("the sentence is %q, want %q", sentence, stranger.want)
				}
				if strings.Contains(sentence, "\n") {
					t.Errorf("more than a line: %q", sentence)
				}
			}
			good.Send(Bulk, number(1))
			other.Send(Bulk, number(2))
			wantNumbers(t, other, 1, 1)
			wantNumbers(t, good, 2, 2)
			if len(links) > 0 {
				t.Error("the stranger got a link")
			}
		})
	}
}

// TestSilentConnectionsDoNotKeepALinkOut fills all places for connections that have not proven the key.
func TestSilentConnectionsDoNotKeepALinkOut(t *testing.T) {
	t.Parallel()
	key := newKey(t)
	hub, links := listen(t, Options{Handshake: 2 * time.Second}, key)
	address := hub.Addresses()[0]
	before := dial(t, Options{}, key, address)
	accepted := <-links
	for range maxUnproven + 20 {
		c, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
	}
	if sentence := <-hub.Refused(); !strings.Contains(sentence, "1024 others have not proven the job's key") {
		t.Errorf("the sentence is %q", sentence)
	}
	before.Send(Bulk, number(1))
	wantNumbers(t, accepted, 1, 1)
	eventually(t, "a link is accepted again", func() bool {
		l, err := Dial(t.Context(), key, []string{address}, "1.2.3", nil)
		if err == nil {
			l.Abort()
		}
		return err == nil
	})
}

func TestRefusalsAreFew(t *testing.T) {
	r := newRefusals()
	for n := range 1000 {
		r.add("refusal %d", n)
	}
	for n := range refusalBurst {
		if got, want := <-r.sentences, fmt.Sprintf("refusal %d", n); got != want {
			t.Fatalf("%q, want %q", got, want)
		}
	}
	r.since = r.since.Add(-refusalEvery)
	r.add("refusal %d", 1000)
	if got, want := <-r.sentences, fmt.Sprintf("refusal 1000 (%d more before it)", 1000-refusalBurst); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestDialNamesEachAddressAndItsFault(t *testing.T) {
	t.Parallel()
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed.Close()
	key := newKey(t)
	_, err = Dial(t.Context(), key, []string{"no-such-host.invalid:1", closed.Addr().String()}, "1", nil)
	if err == nil ||
		!regexp.MustCompile(
			`^no connection: no-such-host\.invalid:1: lookup no-such-host\.invalid.*; 127\.0\.0\.1:\d+: connect: connection refused$`).MatchString(err.Error()) {
		t.Errorf("the error is %v", err)
	}

	hub, links := listen(t, Options{}, key)
	l, err := Dial(t.Context(), key, []string{"no-such-host.invalid:1", closed.Addr().String(), hub.Addresses()[0]},
		"1.2.3", nil)
	if err != nil {
		t.Fatal(err)
	}
	l.Send(Urgent, number(0))
	wantNumbers(t, <-links, 0, 0)
	if err := l.Close(time.Minute); err != nil {
		t.Error(err)
	}
}

func TestDialEndsWithItsContext(t *testing.T) {
	t.Parallel()
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() {
		_, err := Dial(ctx, newKey(t), []string{silent.Addr().String()}, "1", nil)
		done <- err
	}()
	c, err := silent.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
}

func TestListenNamesAnAddressThatItCannotHave(t *testing.T) {
	key := newKey(t)
	hub, _ := listen(t, Options{}, key)
	taken := hub.Addresses()[0]
	if _, err := Listen(key, []string{"127.0.0.1:0", taken}, "1", nil); err == nil ||
		!strings.Contains(err.Error(), taken) {
		t.Errorf("the error is %v", err)
	}
	if _, err := Listen(Key{}, nil, "1", nil); err == nil {
		t.Error("a hub without a key")
	}
}

func TestKeysAreText(t *testing.T) {
	key := newKey(t)
	again, err := ParseKey(key.String())
	if err != nil || again != key {
		t.Errorf("read back: %v", err)
	}
	if other := newKey(t); other == key {
		t.Error("two keys are the same")
	}
	for _, text := range []string{"", "secret", key.String() + "A", key.String()[1:], "+" + key.String()[1:]} {
		if _, err := ParseKey(text); err == nil {
			t.Errorf("%q is a key", text)
		} else if len(text) > 0 && strings.Contains(err.Error(), text) {
			t.Errorf("the error repeats %q: %v", text, err)
		}
	}
}

// TestClocksDoNotMatter has two ends whose clocks are years apart make a connection.
func TestClocksDoNotMatter(t *testing.T) {
	key := newKey(t)
	for _, years := range []int{-60, 0, 60} {
		ours, err := key.config()
		if err != nil {
			t.Fatal(err)
		}
		theirs := ours.Clone()
		ours.Time = func() time.Time { return time.Now().AddDate(years, 0, 0).Add(time.Hour) }
		a, b := net.Pipe()
		failed := make(chan error)
		go func() {
			server := tls.Server(a, ours)
			_, err := server.Write([]byte("hello"))
			failed <- err
		}()
		buf := make([]byte, 5)
		if _, err := tls.Client(b, theirs).Read(buf); err != nil || !bytes.Equal(buf, []byte("hello")) {
			t.Errorf("%d years apart: %q, %v", years, buf, err)
		}
		if err := <-failed; err != nil {
			t.Error(err)
		}
		a.Close()
		b.Close()
	}
}
