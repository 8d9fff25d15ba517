package probe

import "embed"

//go:embed all:ready/arm64
var readyFiles embed.FS
