package decode

// AppendOutcome appends to dst the positions of a DataOutcome record.
func AppendOutcome(dst []int32, v []uint64) []int32 {
	w := words(v)
	for range min(w.next(), uint64(len(w))) {
		dst = append(dst, int32(w.next()))
	}
	return dst
}
