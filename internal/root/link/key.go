package link

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"fmt"
	"math/big"
	"strings"
	"time"
)

// Key is the secret of one job: every process that has it may join, nobody else. It is the seed of a pair of ed25519
// keys, which all processes of the job share. Its zero value is no key.
type Key struct {
	seed [ed25519.SeedSize]byte
}

// NewKey makes the key of a new job; the error is that the system has no random bytes.
func NewKey() (Key, error) {
	var k Key
	if _, err := rand.Read(k.seed[:]); err != nil {
		return Key{}, fmt.Errorf("no random bytes for the key of the job: %w", err)
	}
	return k, nil
}

// String returns the secret itself as text, for an environment variable: URL-safe base64 without padding.
func (k Key) String() string { return base64.RawURLEncoding.EncodeToString(k.seed[:]) }

// ParseKey reads what String made. Its error does not repeat the text, which may be nearly the secret.
func ParseKey(text string) (Key, error) {
	seed, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil || len(seed) != ed25519.SeedSize {
		return Key{}, fmt.Errorf("this is not the key of a job: a key is %d bytes as %d characters of URL-safe "+
			"base64, this has %d characters",
			ed25519.SeedSize, base64.RawURLEncoding.EncodedLen(ed25519.SeedSize), len(text))
	}
	return Key{seed: [ed25519.SeedSize]byte(seed)}, nil
}

// Invitation is what a process needs to join a job: the key, and the addresses of its hub.
type Invitation struct {
	Key       Key
	Addresses []string
}

// String returns both as one text, for an environment variable: it holds the secret.
func (i Invitation) String() string { return i.Key.String() + "@" + strings.Join(i.Addresses, ",") }

// ParseInvitation reads what String made. Its error does not repeat the text.
func ParseInvitation(text string) (Invitation, error) {
	secret, addresses, _ := strings.Cut(text, "@")
	key, err := ParseKey(secret)
	return Invitation{Key: key, Addresses: strings.Split(addresses, ",")}, err
}

// errOtherKey is that a peer has a certificate, made for another job.
var errOtherKey = errors.New("its certificate was made for another job")

// config is what both ends of a connection need for TLS: a certificate made of the key, and a peer that proves the same
// key. Nothing else in the certificates counts, dates in particular, as the clocks of hosts differ.
func (k Key) config() (*tls.Config, error) {
	if k == (Key{}) {
		return nil, errors.New("there is no key of the job")
	}
	private := ed25519.NewKeyFromSeed(k.seed[:])
	public := private.Public().(ed25519.PublicKey)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1),
		NotBefore:    time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC),
		NotAfter:     time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC),
	}
	certificate, err := x509.CreateCertificate(rand.Reader, template, template, public, private)
	if err != nil {
		return nil, fmt.Errorf("no certificate for the job: %w", err)
	}
	return &tls.Config{
		Certificates:           []tls.Certificate{{Certificate: [][]byte{certificate}, PrivateKey: private}},
		ClientAuth:             tls.RequireAnyClientCert,
		InsecureSkipVerify:     true, // no authority signs these certificates: VerifyConnection compares the key
		MinVersion:             tls.VersionTLS13,
		SessionTicketsDisabled: true,
		VerifyConnection: func(state tls.ConnectionState) error {
			if len(state.PeerCertificates) == 0 {
				return errOtherKey
			}
			if other, ok := state.PeerCertificates[0].PublicKey.(ed25519.PublicKey); !ok ||
				!bytes.Equal(other, public) {
				return errOtherKey
			}
			return nil
		},
	}, nil
}
