package main

import (
	"fmt"
	"time"
)

// step is a command that writes sections of a page: go run ./bench/NAME ARGS -limit LIMIT.
type step struct {
	page  string // docs/papers/PAGE.md
	bench string // ./bench/BENCH
	args  string
	limit time.Duration // nothing new is started after it
}

func (s step) command() string {
	args := s.args
	if args != "" {
		args += " "
	}
	return fmt.Sprintf("go run ./bench/%s %s-limit %s", s.bench, args, s.limit)
}

// steps are all, in the order of the pages.
func steps() []step {
	return []step{
		{"empdd", "screen", "", 6 * time.Minute},
		{"mspoe", "explore", "", 40 * time.Minute},
		{"must", "must", "", 35 * time.Minute},
		{"one-sided", "onesided", "", 10 * time.Minute},
		{"upc-check", "upccheck", "", 40 * time.Minute},
		{"upc-thrille", "races", "-table cost", 14 * time.Minute},
		{"upc-thrille", "races", "-table published", 4 * time.Minute},
		{"upc-thrille", "races", "-table scaling", 4 * time.Minute},
		{"upc-thrille", "races", "-table breakdown", 3 * time.Minute},
		{"upc-thrille", "races", "-table choices", 5 * time.Minute},
		{"upc-thrille", "races", "-table oddities", 4 * time.Minute},
	}
}
