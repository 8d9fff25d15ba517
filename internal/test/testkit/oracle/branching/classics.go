package branching

// Classics are well-known programs, each once.
func Classics() []*Program {
	return []*Program{PullMaster(3, 3), FirstAnswer(), ProbeThenAny(), ProbeThenNamed(), WaitSecondFirst(), PollLoop(),
		HeadToHead(1), HeadToHead(large),
		BcastAcross(), WhichFirst(), Impatient(3), CalledOff(), Courier(), SomeAtOnce(), MatchedProbe(), Persistent()}
}

// PullMaster is a master of ranks-1 workers who ask for tasks. None of its behaviours hangs.
func PullMaster(ranks, tasks int) *Program {
	const ask, task, stop = 0, 1, 2
	given, stopped := V(0), V(1)
	who := get(Source, 0)
	texts := [][]Stmt{{
		while(less(stopped, N(ranks-1)),
			recv(0, nil, N(ask)),
			either(less(given, N(tasks)),
				[]Stmt{send(1, who, task, given), set(0, plus(given, N(1)))},
				[]Stmt{send(1, who, stop, N(0)), set(1, plus(stopped, N(1)))})),
	}}
	for range ranks - 1 {
		texts = append(texts, []Stmt{{Kind: DoWhile, Cond: is(get(Tag, 0), N(task)), Body: []Stmt{
			send(1, N(0), ask, N(0)),
			recv(0, N(0), nil),
		}}})
	}
	return world("pull master", texts...)
}

// FirstAnswer has a master that expects the first answer from rank 1, and else waits for a message that nobody sends.
func FirstAnswer() *Program {
	worker := func() []Stmt { return []Stmt{recv(0, N(0), N(0)), send(1, N(0), 1, plus(get(In, 0), N(1)))} }
	return world("first answer",
		[]Stmt{
			send(1, N(1), 0, N(10)), send(1, N(2), 0, N(20)),
			recv(0, nil, N(1)),
			either(is(get(Source, 0), N(1)), []Stmt{recv(2, N(2), N(1))},
				[]Stmt{recv(2, N(1), N(1)), recv(2, N(1), N(1))}),
		}, worker(), worker())
}

// ProbeThenAny receives from any source after a probe, and takes what it gets for what the probe saw.
func ProbeThenAny() *Program {
	return world("probe then any",
		[]Stmt{
			do(Call{Kind: Probe, Slot: 0, Tag: N(0)}),
			recv(1, nil, N(0)),
			either(is(get(Source, 0), N(1)), []Stmt{recv(2, N(2), N(0))}, []Stmt{recv(2, N(1), N(0))}),
		},
		[]Stmt{send(0, N(0), 0, N(1))}, []Stmt{send(0, N(0), 0, N(2))})
}

// ProbeThenNamed receives what a probe saw. None of its behaviours hangs.
func ProbeThenNamed() *Program {
	probe := func() []Stmt {
		return []Stmt{do(Call{Kind: Probe, Slot: 0}), recv(1, get(Source, 0), get(Tag, 0))}
	}
	return world("probe then named", append(probe(), probe()...), []Stmt{ssend(0, N(0), 1, N(1))},
		[]Stmt{ssend(0, N(0), 2, N(2))})
}

// WaitSecondFirst starts two receives from any source, and completes the second one first: whom that met decides.
func WaitSecondFirst() *Program {
	return world("wait second first",
		[]Stmt{
			irecv(0, nil, N(0)), irecv(1, nil, N(0)),
			wait(1),
			either(is(get(Source, 1), N(1)), []Stmt{send(2, N(1), 1, N(0))}, []Stmt{recv(2, N(1), N(5))}),
			wait(0),
		},
		[]Stmt{send(0, N(0), 0, N(1)), recv(1, N(0), N(1))}, []Stmt{send(0, N(0), 0, N(2))})
}

// PollLoop polls for the message of rank 1 forever, if a receive from any source has had it.
func PollLoop() *Program {
	return world("poll loop",
		[]Stmt{
			recv(0, nil, N(0)),
			irecv(1, N(1), N(0)),
			until(get(Flag, 0), do(Call{Kind: Test, Slot: 1})),
		},
		[]Stmt{send(0, N(0), 0, N(1))}, []Stmt{send(0, N(0), 0, N(2))})
}

// HeadToHead has two ranks send to each other first.
func HeadToHead(count int) *Program {
	rank := func(other int) []Stmt {
		return []Stmt{do(Call{Kind: Send, Slot: 0, Peer: N(other), Tag: N(0), Value: N(other), Count: count}),
			recv(1, N(other), N(0))}
	}
	return world("head to head", rank(1), rank(0))
}

// BcastAcross hangs only if the root of a broadcast waits for the others.
func BcastAcross() *Program {
	bcast := func(value *Expr) Stmt { return do(Call{Kind: Bcast, Slot: 1, Value: value}) }
	return world("broadcast across", []Stmt{bcast(N(1)), send(0, N(1), 0, N(7))},
		[]Stmt{recv(0, N(0), N(0)), bcast(nil)})
}

// WhichFirst branches on the request that MPI_Waitany reports.
func WhichFirst() *Program {
	return world("which first",
		[]Stmt{
			irecv(0, N(1), N(0)), irecv(1, N(2), N(0)),
			do(Call{Kind: Waitany, Slots: []int{0, 1}}),
			either(is(get(Index, 0), N(0)), []Stmt{wait(1), send(2, N(2), 1, N(0))},
				[]Stmt{wait(0), recv(2, N(2), N(5))}),
		},
		[]Stmt{send(0, N(0), 0, N(1))}, []Stmt{send(0, N(0), 0, N(2)), recv(1, N(0), N(1))})
}

// Impatient polls some times for an answer, and else waits for something that never comes.
func Impatient(times int) *Program {
	i, flag := V(0), get(Flag, 0)
	return world("impatient",
		[]Stmt{
			irecv(0, N(1), N(0)),
			while(of(And, less(i, N(times)), is(flag, N(0))), do(Call{Kind: Test, Slot: 0}), set(0, plus(i, N(1)))),
			either(flag, []Stmt{send(1, N(1), 1, get(In, 0))}, []Stmt{recv(1, N(1), N(7))}),
		},
		[]Stmt{send(0, N(0), 0, N(3)), recv(1, N(0), N(1))})
}

// CalledOff cancels a receive, and receives the message after all if that has worked.
func CalledOff() *Program {
	return world("called off",
		[]Stmt{
			irecv(0, nil, N(0)),
			do(Call{Kind: Cancel, Slot: 0}),
			wait(0),
			either(get(Cancelled, 0), []Stmt{recv(1, N(1), N(0)), recv(1, N(2), N(0))},
				[]Stmt{recv(1, nil, N(0)), when(is(get(Source, 1), N(2)), recv(1, N(2), N(4)))}),
		},
		[]Stmt{send(0, N(0), 0, N(1))}, []Stmt{send(0, N(0), 0, N(2))})
}

// Courier has rank 0 tell rank 3 whom it met, and rank 3 wait for that rank.
func Courier() *Program {
	return world("courier",
		[]Stmt{recv(0, nil, N(0)), send(1, N(3), 1, get(Source, 0)), recv(0, nil, N(0))},
		[]Stmt{send(0, N(0), 0, N(1)), send(0, N(3), 2, N(1))},
		[]Stmt{send(0, N(0), 0, N(2))},
		[]Stmt{recv(0, N(0), N(1)), recv(1, get(In, 0), N(2)), when(of(Ne, get(In, 0), N(1)), recv(1, N(1), N(2)))})
}

// SomeAtOnce branches on how many requests MPI_Waitsome reports.
func SomeAtOnce() *Program {
	return world("some at once",
		[]Stmt{
			irecv(0, N(1), N(0)), irecv(1, N(2), N(0)),
			do(Call{Kind: Waitsome, Slots: []int{0, 1}}),
			when(is(get(Outcount, 0), N(1)), either(is(get(Done, 0), N(1)), []Stmt{wait(1)}, []Stmt{wait(0)}),
				recv(2, N(1), N(4))),
			recv(2, N(1), N(3)),
		},
		[]Stmt{send(0, N(0), 0, N(1)), send(0, N(0), 3, N(1))}, []Stmt{send(0, N(0), 0, N(2))})
}

// MatchedProbe polls with MPI_Improbe, and answers whom it met.
func MatchedProbe() *Program {
	worker := func() []Stmt { return []Stmt{ssend(0, N(0), 0, N(5)), recv(1, N(0), N(1))} }
	serve := func() []Stmt {
		return []Stmt{
			until(get(Flag, 0), do(Call{Kind: Improbe, Slot: 0, Tag: N(0)})),
			do(Call{Kind: Mrecv, Slot: 0}),
			send(1, get(Source, 0), 1, get(In, 0)),
		}
	}
	return world("matched probe", append(serve(), serve()...), worker(), worker())
}

// Persistent receives with one persistent request twice; the second send depends on whom the first use met.
func Persistent() *Program {
	return world("persistent",
		[]Stmt{
			do(Call{Kind: RecvInit, Slot: 0, Tag: N(0)}),
			do(Call{Kind: Start, Slot: 0}), wait(0), set(0, get(Source, 0)),
			do(Call{Kind: Start, Slot: 0}), wait(0),
			send(1, V(0), 1, N(1)),
		},
		[]Stmt{
			do(Call{Kind: SendInit, Slot: 0, Peer: N(0), Tag: N(0)}),
			do(Call{Kind: Start, Slot: 0, Value: N(1)}), wait(0),
			recv(1, N(0), N(1)),
		},
		[]Stmt{send(0, N(0), 0, N(2)), recv(1, N(0), N(1))})
}
