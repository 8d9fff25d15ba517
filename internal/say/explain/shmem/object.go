package shmem

import (
	"fmt"
	"strings"
)

// Object is the memory at an address.
type Object struct {
	Memory Memory
	Module string // the file that has the variable; "" if that is not known
	Name   string // the variable's; "" if that is not known
	Bytes  uint64 // of the variable
	Block  *Block // of the symmetric heap; nil if that is not known
	At     uint64 // which byte of the variable or block it is
	Size   uint64 // of the element that is accessed there; 0 if that is not known
}

// Memory is a kind of memory.
type Memory uint8

// Kinds of memory.
const (
	SymmetricHeap Memory = iota
	Variable
	PrivateBuffer
)

// Block is memory that the program has allocated on the symmetric heap.
type Block struct {
	Bytes uint64
	Site  *Site
}

// String names the memory: "`x[3]`", "byte 8 of the block of 80 bytes that shmem_malloc allocated at a.c:10".
func (o *Object) String() string {
	switch {
	case o.Memory == PrivateBuffer:
		return "a private buffer"
	case o.Memory == Variable && o.Name != "":
		return o.element()
	case o.Memory == Variable && o.Module != "":
		return "a variable of " + o.Module
	case o.Memory == Variable:
		return "a variable"
	case o.Block == nil:
		return "symmetric memory"
	case o.At > 0:
		return fmt.Sprintf("byte %d of %s", o.At, o.Block)
	}
	return o.Block.String()
}

// String names the block.
func (b *Block) String() string {
	if b == nil {
		return "its block"
	}
	return fmt.Sprintf("the block of %d bytes that %s allocated at %s", b.Bytes, b.Site.Call, b.Site.at())
}

// element names the element of a variable, if the size of the access can be that of one.
func (o *Object) element() string {
	switch {
	case o.Size > 0 && o.Size < o.Bytes && o.Bytes%o.Size == 0 && o.At%o.Size == 0:
		return fmt.Sprintf("`%s[%d]`", o.Name, o.At/o.Size)
	case o.At > 0:
		return fmt.Sprintf("byte %d of `%s`", o.At, o.Name)
	}
	return "`" + o.Name + "`"
}

// lock names a lock: by its variable if that is known, else by where it is.
func (o *Object) lock() string {
	name := o.String()
	if strings.HasPrefix(name, "`") {
		return "the lock " + name
	}
	return "the lock in " + name
}

// Region is the kind of memory of a process in which an address is.
type Region struct {
	Library     string // the shared library whose variable it is
	Stack, Heap bool
}

// String says where the address is, "" if that is nothing that has a name.
func (r Region) String() string {
	switch {
	case r.Library != "":
		return "a variable of the shared library " + r.Library
	case r.Stack:
		return "on the stack"
	case r.Heap:
		return "in the heap of malloc"
	}
	return ""
}
