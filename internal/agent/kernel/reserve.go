package kernel

// reserve is how much garbage an agent may make between two collections when it holds little, in bytes. The collector
// lets the heap grow in proportion to what is alive; with so small a heap it would stop the agent, and take a core from
// the ranks, every few milliseconds.
const reserve = 32 << 20

// NewReserve returns memory that counts as alive and is never touched, so that it costs addresses and nothing else. It
// works until the caller lets go of it.
func NewReserve() []byte { return make([]byte, reserve) }
