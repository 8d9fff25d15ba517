package mpi

// MarshalText writes which function is meant, by its name.
func (f *Func) MarshalText() ([]byte, error) { return []byte(f.Name), nil }

// UnmarshalText reads that. The function has its name and nothing else, as whoever reads has the table (ByName).
func (f *Func) UnmarshalText(text []byte) error {
	*f = Func{Name: string(text)}
	return nil
}
