package decode

// Known is a way to make an object that has a number from now on: what the object has as handle, and the function that
// has made it.
type Known struct {
	Number, Handle uint64
	Func           uint16
}

// ReadKnown reads a DataKnown record.
func ReadKnown(v []uint64) Known {
	w := words(v)
	return Known{w.next(), w.next(), uint16(w.next())}
}

// Again is an object that was made in the way of a number, after another one was freed: its handle, and the function
// that has freed it, or 0.
type Again struct {
	Number, Freed uint64
	Func          uint16
}

// ReadAgain reads a DataAgain record.
func ReadAgain(v []uint64) Again {
	w := words(v)
	return Again{w.next(), w.next(), uint16(w.next())}
}
