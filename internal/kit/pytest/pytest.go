// Package pytest has the plugin by which pytest runs tests of MPI programs under unknot.
package pytest

import _ "embed"

// Plugin is the text of unknot_pytest.py.
//
//go:embed unknot_pytest.py
var Plugin string
