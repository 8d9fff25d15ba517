package judge

import (
	"testing"

	"unknot/internal/shmem/layout"
)

// Variables of the programs below.
var (
	data = variable(0)
	flg  = variable(1)
	word = variable(2)
)

const (
	nothing  = "nothing orders the two accesses."
	putData  = "shmem_long_put:10"
	setFlag  = "shmem_long_p:12"
	waitFlag = "shmem_long_wait_until:20"
	getData  = "shmem_long_get:21"
)

// TestRaces has small programs, and what is said of them. "" are those without a race.
func TestRaces(t *testing.T) {
	for _, c := range []struct {
		name string
		pes  int
		run  func(s *script)
		want []string
	}{
		{"a put and a get of another PE, with nothing between", 2, func(s *script) {
			s.put(putData, 0, 1, data)
			s.get(getData, 1, 1, data)
		}, []string{"Data race on a variable of PE 1: PE 0 puts to it by shmem_long_put at a.c:10, and PE 1 reads it " +
			"by shmem_long_get at a.c:21, and nothing orders the two accesses."}},
		{"a barrier between them, which completes the put", 2, func(s *script) {
			s.put(putData, 0, 1, data)
			s.barrier("shmem_barrier_all:15", true)
			s.get(getData, 1, 1, data)
		}, nil},
		{"shmem_sync_all between them, which does not", 2, func(s *script) {
			s.put(putData, 0, 1, data)
			s.barrier("shmem_sync_all:15", false)
			s.get(getData, 1, 1, data)
		}, []string{nothing}},
		{"shmem_sync_all after shmem_quiet", 2, func(s *script) {
			s.put(putData, 0, 1, data)
			s.step("shmem_quiet:14", 0, layout.Quiet)
			s.barrier("shmem_sync_all:15", false)
			s.get(getData, 1, 1, data)
		}, nil},
		{"a quiet of another context", 2, func(s *script) {
			s.record(0, layout.Record{Kind: layout.Write, Flags: layout.Pending | layout.Put, Owner: 1,
				Site: s.site("shmem_ctx_long_put:10"), Offset: data, Size: 8, Stride: 8, Count: 1, Value: 1})
			s.barrier("shmem_barrier_all:15", true)
			s.get(getData, 1, 1, data)
		}, []string{nothing}},
		{"a flag without a fence", 2, func(s *script) {
			s.put(putData, 0, 1, data)
			s.put(setFlag, 0, 1, flg)
			s.sees(waitFlag, 1, flg)
			s.get(getData, 1, 1, data)
		}, []string{nothing}},
		{"a flag after a fence", 2, func(s *script) {
			s.put(putData, 0, 1, data)
			s.step("shmem_fence:11", 0, layout.Fence)
			s.put(setFlag, 0, 1, flg)
			s.sees(waitFlag, 1, flg)
			s.get(getData, 1, 1, data)
		}, nil},
		{"a flag after a quiet", 2, func(s *script) {
			s.put(putData, 0, 1, data)
			s.step("shmem_quiet:11", 0, layout.Quiet)
			s.put(setFlag, 0, 1, flg)
			s.sees(waitFlag, 1, flg)
			s.get(getData, 1, 1, data)
		}, nil},
		{"a fence orders puts to one PE, not to several", 3, func(s *script) {
			s.put(putData, 0, 2, data)
			s.step("shmem_fence:11", 0, layout.Fence)
			s.put(setFlag, 0, 1, flg)
			s.sees(waitFlag, 1, flg)
			s.get(getData, 1, 2, data)
		}, []string{"Data race on a variable of PE 2"}},
		{"a quiet orders puts to several PEs", 3, func(s *script) {
			s.put(putData, 0, 2, data)
			s.step("shmem_quiet:11", 0, layout.Quiet)
			s.put(setFlag, 0, 1, flg)
			s.sees(waitFlag, 1, flg)
			s.get(getData, 1, 2, data)
		}, nil},
		{"a flag that is waited for is another one", 2, func(s *script) {
			s.put(putData, 0, 1, data)
			s.step("shmem_fence:11", 0, layout.Fence)
			s.put(setFlag, 0, 1, flg)
			s.sees(waitFlag, 1, word)
			s.get(getData, 1, 1, data)
		}, []string{"predicted: Possible data race on a variable of PE 1: PE 0 puts to it by shmem_long_put at " +
			"a.c:10, and PE 1 reads it by shmem_long_get at a.c:21, " +
			"and only what PE 1 can have read in its own memory orders them, which OpenSHMEM does not promise."}},
		{"a plain load of a flag may have ordered them", 2, func(s *script) {
			s.put(putData, 0, 1, data)
			s.step("shmem_quiet:11", 0, layout.Quiet)
			s.put(setFlag, 0, 1, flg)
			s.get(getData, 1, 1, data)
		}, []string{"predicted: Possible data race"}},
		{"a flag that another PE has stored in its own memory, and that is got", 3, func(s *script) {
			s.put(putData, 0, 2, data)
			s.step("shmem_quiet:11", 0, layout.Quiet)
			s.get("shmem_long_g:20", 1, 0, flg)
			s.get(getData, 1, 2, data)
		}, []string{"predicted: Possible data race on a variable of PE 2"}},
		{"two puts of one PE to the same word", 2, func(s *script) {
			s.put(putData, 0, 1, data)
			s.put("shmem_long_put:11", 0, 1, data)
		}, []string{"PE 0 puts to it by shmem_long_put at a.c:10, and puts to it by shmem_long_put at a.c:11, and " +
			"nothing between orders the two."}},
		{"two puts with a fence between", 2, func(s *script) {
			s.put(putData, 0, 1, data)
			s.step("shmem_fence:11", 0, layout.Fence)
			s.put("shmem_long_put:12", 0, 1, data)
			s.put("shmem_long_put:13", 0, 1, flg)
		}, nil},
		{"four puts, of which only two are ordered", 2, func(s *script) {
			s.put("shmem_long_put:10", 0, 1, data)
			s.put("shmem_long_put:11", 0, 1, data)
			s.step("shmem_fence:12", 0, layout.Fence)
			s.put("shmem_long_put:13", 0, 1, data)
			s.put("shmem_long_put:14", 0, 1, data)
		}, []string{"at a.c:10, and puts to it by shmem_long_put at a.c:11",
			"at a.c:13, and puts to it by shmem_long_put at a.c:14"}},
		{"a put in a loop, to the same word, by one call", 2, func(s *script) {
			for range 40 {
				s.put(putData, 0, 1, data)
			}
		}, []string{"PE 0 puts to it by shmem_long_put at a.c:10, and puts to it by shmem_long_put at a.c:10"}},
		{"a get of what the PE has put", 2, func(s *script) {
			s.put(putData, 0, 1, data)
			s.get("shmem_long_get:11", 0, 1, data)
		}, []string{"PE 0 puts to it by shmem_long_put at a.c:10, and reads it by shmem_long_get at a.c:11, and " +
			"nothing between orders the two."}},
		{"a token that goes round, without any fence", 3, func(s *script) {
			for range 4 {
				for pe := range 3 {
					s.put(setFlag, pe, (pe+1)%3, flg)
					s.sees(waitFlag, (pe+1)%3, flg)
				}
			}
		}, nil},
		{"a token that goes round, by plain loads", 2, func(s *script) {
			for range 3 {
				s.put(setFlag, 0, 1, flg)
				s.put("shmem_long_p:13", 1, 0, flg)
			}
		}, nil},
		{"a flag that is set back after it was seen", 2, func(s *script) {
			s.put(setFlag, 0, 1, flg)
			s.sees(waitFlag, 1, flg)
			s.put("shmem_long_p:21", 1, 1, flg)
		}, nil},
		{"data that are sent again after an answer", 2, func(s *script) {
			for range 3 {
				s.put(putData, 0, 1, data)
				s.step("shmem_fence:11", 0, layout.Fence)
				s.put(setFlag, 0, 1, flg)
				s.sees(waitFlag, 1, flg)
				s.get(getData, 1, 1, data)
				s.put("shmem_long_p:22", 1, 0, flg)
				s.sees("shmem_long_wait_until:13", 0, flg)
			}
		}, nil},
		{"what shmem_get_nbi gets is used before shmem_quiet", 2, func(s *script) {
			s.access("shmem_long_get_nbi:10", 0, layout.Read, layout.Pending, 1, data, 1)
			s.access("shmem_long_get_nbi:10", 0, layout.Write, layout.Pending, 0, word, 1)
			s.access("shmem_long_put:11", 0, layout.Read, 0, 0, word, 1)
		}, []string{"Data race on a variable of PE 0: PE 0 writes it by shmem_long_get_nbi at a.c:10, and reads it " +
			"by shmem_long_put at a.c:11"}},
		{"what shmem_get_nbi gets is used after shmem_quiet", 2, func(s *script) {
			s.access("shmem_long_get_nbi:10", 0, layout.Write, layout.Pending, 0, word, 1)
			s.step("shmem_quiet:11", 0, layout.Quiet)
			s.access("shmem_long_put:12", 0, layout.Read, 0, 0, word, 1)
		}, nil},
		{"the source of shmem_put_nbi is written before shmem_quiet", 2, func(s *script) {
			s.access("shmem_long_put_nbi:10", 0, layout.Read, layout.Pending, 0, word, 1)
			s.put("shmem_long_put_nbi:10", 0, 1, data)
			s.access("shmem_long_get:11", 0, layout.Write, 0, 0, word, 1)
		}, []string{"PE 0 reads it by shmem_long_put_nbi at a.c:10, and writes it by shmem_long_get at a.c:11"}},
		{"atomic operations", 2, func(s *script) {
			for pe := range 2 {
				s.access("shmem_long_atomic_inc:10", pe, layout.Atomic, layout.Pending|layout.Put, 1, word, 1)
				s.access("shmem_long_atomic_inc:11", pe, layout.Atomic, layout.Pending|layout.Put, 1, word, 1)
				s.access("shmem_long_atomic_fetch:12", pe, layout.AtomicRead, layout.Fetch, 1, word, 1)
			}
		}, nil},
		{"an atomic operation and a put", 2, func(s *script) {
			s.access("shmem_long_atomic_inc:10", 0, layout.Atomic, layout.Pending|layout.Put, 1, word, 1)
			s.put("shmem_long_p:20", 1, 1, word)
		}, []string{"PE 0 changes it atomically by shmem_long_atomic_inc at a.c:10, and PE 1 puts to it by " +
			"shmem_long_p at a.c:20"}},
		{"a fetching operation is a flag, once the put is fenced", 3, func(s *script) {
			s.put(putData, 0, 2, data)
			s.step("shmem_fence:11", 0, layout.Fence)
			s.access("shmem_long_atomic_swap:12", 0, layout.Atomic, layout.Put|layout.Fetch, 2, word, 1)
			s.record(0, layout.Record{Kind: layout.Sees, Owner: 2, Site: s.site("shmem_long_atomic_swap:12"),
				Offset: word, Size: 8})
			s.access("shmem_long_atomic_fetch:20", 1, layout.AtomicRead, layout.Fetch, 2, word, 1)
			s.get(getData, 1, 2, data)
		}, nil},
		{"a lock around both", 2, func(s *script) {
			for pe := range 2 {
				s.record(pe, layout.Record{Kind: layout.Locked, Site: s.site("shmem_set_lock:9"),
					Offset: word, Size: 8})
				s.put(putData, pe, 1, data)
				s.step("shmem_clear_lock:11", pe, layout.Quiet)
				s.record(pe, layout.Record{Kind: layout.Unlock, Site: s.site("shmem_clear_lock:11"),
					Offset: word, Size: 8})
			}
		}, nil},
		{"a block is freed while a put of a context is under way", 2, func(s *script) {
			block := uint64(1) << layout.BlockBits
			for pe := range 2 {
				s.record(pe, layout.Record{Kind: layout.Alloc, Site: s.site("shmem_malloc:5"),
					Offset: block, Count: 80})
			}
			s.record(0, layout.Record{Kind: layout.Write, Flags: layout.Pending | layout.Put, Owner: 1,
				Site: s.site("shmem_ctx_long_put:10"), Offset: block + 8, Size: 8, Stride: 8, Count: 1, Value: 3})
			s.barrier("shmem_free:12", true)
			for pe := range 2 {
				s.record(pe, layout.Record{Kind: layout.Free, Site: s.site("shmem_free:12"), Offset: block})
			}
		}, []string{"Data race on byte 8 of the block of 80 bytes that shmem_malloc allocated at a.c:5 of PE 1: PE 0 " +
			"puts to it by shmem_ctx_long_put at a.c:10, and PE 1 frees it by shmem_free at a.c:12"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newScript(t, c.pes)
			c.run(s)
			s.expect(c.want...)
		})
	}
}

// broadcast has all PEs enter and leave a broadcast from PE 0 to a target, with a pSync, one after the other.
func (s *script) broadcast(call string, target, sync uint64) {
	s.t.Helper()
	var leaves []layout.Record
	for pe := range s.streams {
		r := s.collective(call, pe, s.all(), layout.Broadcast)
		r.Count, r.Size = 1, 8
		s.record(pe, r)
		for o := range s.streams {
			s.access(call, pe, layout.Write, layout.Part, o, sync, 1)
			if pe == 0 && o > 0 {
				s.access(call, pe, layout.Write, layout.Part, o, target, 1)
			}
		}
		if pe > 0 {
			s.access(call, pe, layout.Write, layout.Part, pe, target, 1)
		}
		r.Kind = layout.Leave
		leaves = append(leaves, r)
	}
	for pe, r := range leaves {
		s.record(pe, r)
	}
}

// TestWhatABroadcastHasWrittenIsThereWhenItReturns has each PE use its target, and use other arrays for the next one.
func TestWhatABroadcastHasWrittenIsThereWhenItReturns(t *testing.T) {
	s := newScript(t, 3)
	s.broadcast("shmem_broadcast64:10", data, variable(5))
	for pe := range 3 {
		s.access("shmem_long_put:11", pe, layout.Read, 0, pe, data, 1)
	}
	s.broadcast("shmem_broadcast64:12", word, variable(6))
	s.expect()
}

// TestAPSyncThatIsUsedAgainAtOnceRaces has two broadcasts with one pSync, without and with a barrier between.
func TestAPSyncThatIsUsedAgainAtOnceRaces(t *testing.T) {
	s := newScript(t, 2)
	s.broadcast("shmem_broadcast64:10", data, variable(5))
	s.broadcast("shmem_broadcast64:12", word, variable(5))
	s.expect("uses it by shmem_broadcast64 at a.c:10, and PE 1 uses it by shmem_broadcast64 at a.c:12")
	s = newScript(t, 2)
	s.broadcast("shmem_broadcast64:10", data, variable(5))
	s.barrier("shmem_barrier_all:11", true)
	s.broadcast("shmem_broadcast64:12", word, variable(5))
	s.expect()
}

// TestABroadcastOrdersOnlyAfterItsRoot has PE 1 put something before the broadcast, and PE 2 and the root's puts.
func TestABroadcastOrdersOnlyAfterItsRoot(t *testing.T) {
	s := newScript(t, 3)
	s.put("shmem_long_put:8", 1, 0, data)
	s.step("shmem_quiet:9", 1, layout.Quiet)
	s.put("shmem_long_put:8", 0, 2, word)
	s.step("shmem_quiet:9", 0, layout.Quiet)
	s.broadcast("shmem_broadcast64:10", flg, variable(5))
	s.get("shmem_long_get:11", 2, 0, data)
	s.get("shmem_long_get:12", 1, 2, word)
	s.expect("PE 1 puts to it by shmem_long_put at a.c:8, and PE 2 reads it by shmem_long_get at a.c:11, and " +
		"nothing orders")
}

// TestHintsAreAboutWhatIsMissing: a lock does not help before it is set to 0, and a put that comes again has to wait
// for who reads what was there.
func TestHintsAreAboutWhatIsMissing(t *testing.T) {
	for _, c := range []struct {
		name   string
		script func(s *script)
		want   string
	}{
		{"a lock that is set to 0 while it may be taken", func(s *script) {
			s.put("shmem_long_p:8", 1, 0, word)
			s.locking("shmem_set_lock:9", 0, layout.Locking, word)
			s.locking("shmem_set_lock:9", 0, layout.Locked, word)
			s.access("shmem_set_lock:9", 0, layout.Write, 0, 0, word, 1)
		}, "put a shmem_barrier_all between the two: a lock is 0 on all PEs before the first one takes it, and from " +
			"then on only the functions for locks change it"},
		{"a call by which several PEs put to one place", func(s *script) {
			s.put(putData, 0, 1, data)
			s.put(putData, 1, 1, data)
		}, "let one PE alone put to it; if each adds to what the others have put, use an atomic operation such as " +
			"shmem_atomic_add, or a lock around reading and putting it"},
		{"a put that a plain load may have seen", func(s *script) {
			s.put(putData, 0, 1, data)
			s.step("shmem_quiet:11", 0, layout.Quiet)
			s.put(setFlag, 0, 1, flg)
			s.get(getData, 1, 1, data)
		}, "let the PE wait by shmem_wait_until, or read the flag by shmem_atomic_fetch, instead of a plain load; if " +
			"PE 0 puts to it repeatedly, let it wait until PE 1 has said " +
			"that it is done with it"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newScript(t, 2)
			c.script(s)
			found := s.findings()
			if len(found) != 1 || found[0].Hint != c.want {
				t.Errorf("got %+v\nwant the hint %s", found, c.want)
			}
		})
	}
}
