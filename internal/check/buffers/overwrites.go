package buffers

import "unknot/internal/vocab/finding"

// Overwrites says whether what a code is about may have overwritten memory of the program, so that it may crash
// anywhere later on.
func Overwrites(code finding.Code) bool { return code == bufferOutside || code == BufferFreed }
