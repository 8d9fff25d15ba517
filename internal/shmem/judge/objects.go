package judge

import (
	"hash/fnv"
	"path/filepath"
	"strconv"
	"strings"

	"unknot/internal/kit/symbol"
	"unknot/internal/say/explain/shmem"
	"unknot/internal/shmem/layout"
)

// object is the memory at an offset. Size is that of an element, 0 if it is not known.
func (j *job) object(p *program, offset, size uint64) shmem.Object {
	if offset >= layout.PrivateBase {
		return shmem.Object{Memory: shmem.PrivateBuffer}
	}
	if offset >= layout.StaticBase {
		return j.variable(p, offset, size)
	}
	b := j.blockAt(offset)
	if b == nil {
		return shmem.Object{}
	}
	return shmem.Object{Block: b.data(p), At: offset - b.offset}
}

// data is the block for a sentence.
func (b *block) data(p *program) *shmem.Block {
	return &shmem.Block{Bytes: b.bytes, Site: p.site(b.site)}
}

// variable is the variable at an offset.
func (j *job) variable(p *program, offset, size uint64) shmem.Object {
	const inModule = 1<<layout.ModuleBits - 1
	hash, at := uint32((offset-layout.StaticBase)>>layout.ModuleBits), offset&inModule
	for i := range j.pes {
		src := j.pes[i].source
		if src == nil {
			continue
		}
		m := p.memory(src.stream.PID())
		if m == nil {
			continue
		}
		base, name := m.module(hash)
		if name == "" {
			continue
		}
		o := shmem.Object{Memory: shmem.Variable, Module: name, Size: size}
		if v, ok := m.variables(p).Variable(base + at); ok {
			o.Name, o.Bytes, o.At = v.Name, v.To-v.From, base+at-v.From
		}
		return o
	}
	return shmem.Object{Memory: shmem.Variable}
}

// module is where a module begins whose name has a hash, and its name, "" if there is none.
func (m *memory) module(hash uint32) (base uint64, name string) {
	for line := range strings.Lines(m.text) {
		fields := strings.Fields(line)
		const withPath = 6
		if len(fields) < withPath || !strings.HasPrefix(fields[withPath-1], "/") {
			continue
		}
		last := filepath.Base(strings.Join(fields[withPath-1:], " "))
		if hashOf(last) != hash {
			continue
		}
		from, _, _ := strings.Cut(fields[0], "-")
		if at, err := strconv.ParseUint(from, 16, 64); err == nil && (name == "" || at < base) {
			base, name = at, last
		}
	}
	return base, name
}

// hashOf is the hash of a module's name.
func hashOf(name string) uint32 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(name)) // it never fails
	return h.Sum32() & (1<<layout.HashBits - 1)
}

// variables are those of a process.
func (m *memory) variables(p *program) *symbol.Data {
	if m.data == nil {
		m.data = p.resolve.Data(m.maps)
	}
	return m.data
}

// region is the kind of memory in which an address of a process is.
func (m *memory) region(p *program, at uint64) (r shmem.Region) {
	if library := m.variables(p).Library(at); library != "" {
		return shmem.Region{Library: filepath.Base(library)}
	}
	for line := range strings.Lines(m.text) {
		low, rest, _ := strings.Cut(line, "-")
		high, _, _ := strings.Cut(rest, " ")
		from, err1 := strconv.ParseUint(low, 16, 64)
		to, err2 := strconv.ParseUint(high, 16, 64)
		if err1 != nil || err2 != nil || at < from || at >= to {
			continue
		}
		switch {
		case strings.Contains(line, "[stack"):
			return shmem.Region{Stack: true}
		case strings.Contains(line, "[heap]"):
			return shmem.Region{Heap: true}
		}
	}
	return r
}
