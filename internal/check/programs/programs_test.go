// Package programs tests the programs of all checks, which lie in testdata/CODE beside each check. They are here
// together, since a test that runs them links all of unknot.
package programs

import (
	"testing"

	"unknot/internal/check/registry"
	"unknot/internal/test/testkit/whole/pairs"
)

const checks = ".."

func TestPrograms(t *testing.T) { pairs.Test(t, checks, registry.Checkers()) }

func TestTapes(t *testing.T) { pairs.Tapes(t, checks) }

func TestTapesInAnyOrder(t *testing.T) { pairs.TapesInAnyOrder(t, checks) }

func TestFreshTapes(t *testing.T) { pairs.FreshTapes(t, checks) }
