package link

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"syscall"
	"time"
)

// dialFault is what went wrong with dialling, without the address, which whoever says it has.
func dialFault(err error, limit time.Duration) error {
	var operation *net.OpError
	switch {
	case isTimeout(err):
		return fmt.Errorf("no answer within %v", limit)
	case errors.As(err, &operation):
		return operation.Err
	}
	return err
}

// tlsFault says what was wrong with a peer by the error of the handshake with it.
func tlsFault(err error, limit time.Duration) string {
	var record tls.RecordHeaderError
	switch {
	case errors.Is(err, errOtherKey):
		return errOtherKey.Error()
	case errors.As(err, &record):
		return "it does not speak TLS"
	case isTimeout(err):
		return fmt.Sprintf("it did not complete TLS within %v", limit)
	case errors.Is(err, io.EOF), errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return "it closed the connection during the TLS handshake"
	case strings.Contains(err.Error(), "didn't provide a certificate"):
		return "it has no certificate"
	}
	return fmt.Sprintf("the TLS handshake failed: %v", err)
}

func isTimeout(err error) bool {
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, os.ErrDeadlineExceeded)
}

// differing says how the versions of a peer and of this process differ.
func differing(f frame, version string) string {
	if f.version == version {
		return fmt.Sprintf("unknot %s with links of version %d, this is unknot %s with %d", f.version, f.protocol,
			version, protocol)
	}
	return fmt.Sprintf("unknot %s, this is unknot %s", f.version, version)
}
