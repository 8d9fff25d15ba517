//go:build !amd64 && !arm64

package probe

import "embed"

// No probes are made for this machine.
var readyFiles embed.FS
