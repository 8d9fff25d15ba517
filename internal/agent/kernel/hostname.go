package kernel

import "os"

// Hostname is what this host is called.
func Hostname() string {
	h, err := os.Hostname()
	if err != nil {
		return "localhost"
	}
	return h
}
