package model

import (
	"fmt"
	"strings"
)

// Kind is what an action of a program does.
type Kind uint8

// The actions.
const (
	Collective Kind = iota // an operation that all threads call; Sync if nobody leaves it before all have come
	Notify
	Wait
	Barrier
	Lock
	Unlock  // nothing if an Attempt before it has failed
	Attempt // upc_lock_attempt
	end     // the thread ends; every program has it as its last action
)

// Action is a step of a program's thread.
type Action struct {
	Kind Kind
	// Signature is the operation with its single-valued arguments.
	Signature uint8
	Sync      bool
	// Has says that Notify, Wait or Barrier has the value Value.
	Has   bool
	Value uint8
	// Lock is the number of a lock, from 1.
	Lock uint8
}

// Program is what each thread does, one action after the other.
type Program [][]Action

// Parse makes a program of what each thread does, in words:
//
//	c1 collective operation with signature 1, not synchronising     s1 synchronising
//	n w b    upc_notify, upc_wait, upc_barrier; n5 with the value 5
//	l1 u1 t1 upc_lock, upc_unlock, upc_lock_attempt of lock 1
func Parse(threads ...string) (Program, error) {
	var p Program
	for _, words := range threads {
		var actions []Action
		for w := range strings.FieldsSeq(words) {
			a := Action{}
			if len(w) > 1 {
				a.Value = w[1] - '0'
			}
			switch w[0] {
			case 'c', 's':
				a.Kind, a.Signature, a.Sync = Collective, a.Value, w[0] == 's'
			case 'n', 'w', 'b':
				a.Kind, a.Has = map[byte]Kind{'n': Notify, 'w': Wait, 'b': Barrier}[w[0]], len(w) > 1
			case 'l', 'u', 't':
				a.Kind, a.Lock = map[byte]Kind{'l': Lock, 'u': Unlock, 't': Attempt}[w[0]], a.Value
			default:
				return nil, fmt.Errorf("no such action: %s", w)
			}
			actions = append(actions, a)
		}
		p = append(p, actions)
	}
	return p, nil
}

// operation is an action that takes a slot in the ring, with the upc_wait that belongs to it.
type operation struct {
	Action
	waits bool // its upc_wait has a value, and it has not
	value uint8
}

// operations are a thread's, its end included.
func operations(thread []Action) []operation {
	var all []operation
	for _, a := range thread {
		switch a.Kind {
		case Collective, Notify, Barrier, end:
			all = append(all, operation{Action: a})
		case Wait:
			if last := len(all) - 1; last >= 0 && a.Has && !all[last].Has {
				all[last].waits, all[last].value = true, a.Value
			}
		}
	}
	return all
}

// same says that two operations of two threads may have one number. upc_barrier is upc_notify and upc_wait (UPC 1.3,
// 6.6.1).
func same(a, b operation) bool {
	x, y := a.Kind, b.Kind
	if x == Barrier {
		x = Notify
	}
	if y == Barrier {
		y = Notify
	}
	return x == y && a.Signature == b.Signature
}
