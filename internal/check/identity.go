package check

// Identity is what the members of a communicator have in common about the objects made of it.
type Identity struct {
	Rank *Rank
	Comm uint64
}

// Mix makes one number of two.
func Mix(a, b uint64) uint64 {
	a ^= (b + 0x9e3779b97f4a7c15) * 0xbf58476d1ce4e5b9
	a ^= a >> 29
	return a*0x94d049bb133111eb | 1
}
