// Package cmake has the module by which CMake finds unknot and adds tests that run under it.
package cmake

import _ "embed"

// Module is the text of FindUnknot.cmake.
//
//go:embed FindUnknot.cmake
var Module string
