package probe

import "embed"

//go:embed all:ready/amd64
var readyFiles embed.FS
