package rma

import "unknot/internal/vocab/finding"

// Unbacked says whether a code is about windows without the memory that they are said to have. A rank may crash in any
// call in which its library carries out what others do to such a window.
func Unbacked(code finding.Code) bool { return code == winOutside || code == winGone }
