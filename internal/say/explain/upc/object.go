package upc

import (
	"fmt"
	"strconv"
	"strings"

	"unknot/internal/upc/layout"
)

// element names the element of an object that has a byte of an owner's segment, as C does: "sum[3]", "m[2][0]".
func element(o *layout.SiteText, owner, threads int, offset uint64) string {
	if o.Shape == "" || o.Size == 0 {
		return o.Object
	}
	n := (offset - o.Offset) / o.Size // among the owner's
	if o.Block > 0 {
		row, phase := n/o.Block, n%o.Block
		n = (row*uint64(threads)+uint64(owner))*o.Block + phase
	}
	inner := dimensions(o.Shape, threads)
	index := ""
	for i := len(inner) - 1; i >= 0; i-- {
		if inner[i] == 0 {
			return o.Object
		}
		index = fmt.Sprintf("[%d]%s", n%inner[i], index)
		n /= inner[i]
	}
	return fmt.Sprintf("%s[%d]%s", o.Object, n, index)
}

// dimensions are the inner dimensions of a shape: ".[3][4*THREADS]" has two.
func dimensions(shape string, threads int) (all []uint64) {
	for text := range strings.SplitSeq(strings.TrimPrefix(shape, "."), "]") {
		text, times := strings.CutSuffix(strings.TrimPrefix(text, "["), "*THREADS")
		n, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			continue // after the last bracket
		}
		if times {
			n *= uint64(threads)
		}
		all = append(all, n)
	}
	return all
}
