package judge

import (
	"testing"

	"unknot/internal/shmem/layout"
)

// own has a PE access a word of its memory itself, at a line of a.c: ":14".
func (s *script) own(line string, pe int, flags uint8, at uint64) {
	s.t.Helper()
	s.access(line, pe, layout.Own, flags, pe, at, 1)
}

const (
	load  = ":30"
	store = ":31"
	poll  = ":32"
	other = ":33"

	volatile = layout.OwnOrders
	onlyRead = "and only what one of the two PEs can have read in memory orders them"
	buffer   = layout.PrivateBase + 0x7ffc00001000
)

// TestOwnAccesses has small programs that load and store, and what is said of them.
func TestOwnAccesses(t *testing.T) {
	for _, c := range []struct {
		name string
		pes  int
		run  func(s *script)
		want []string
	}{
		{"a load and a put", 2, func(s *script) {
			s.put(putData, 0, 1, data)
			s.own(load, 1, 0, data)
		}, []string{"Data race on a variable of PE 1: PE 0 puts to it by shmem_long_put at a.c:10, and PE 1 reads it " +
			"itself at a.c:30, and nothing orders the two accesses."}},
		{"a store and a get", 2, func(s *script) {
			s.own(store, 1, layout.OwnStore, data)
			s.get(getData, 0, 1, data)
		},
			[]string{"PE 0 reads it by shmem_long_get at a.c:21, and PE 1 writes it itself at a.c:31, and " +
				"nothing orders"}},
		{"a load and a get", 2, func(s *script) {
			s.own(load, 1, 0, data)
			s.get(getData, 0, 1, data)
		}, nil},
		{"a load and a store of two PEs, each in its own memory", 2, func(s *script) {
			s.own(load, 1, 0, data)
			s.own(store, 0, layout.OwnStore, data)
		}, nil},
		{"a load and an atomic operation", 2, func(s *script) {
			s.access("shmem_long_atomic_inc:12", 0, layout.Atomic, layout.Pending|layout.Put, 1, word, 1)
			s.own(load, 1, 0, word)
		},
			[]string{
				"PE 0 changes it atomically by shmem_long_atomic_inc at a.c:12, and PE 1 reads it itself at a.c:30"}},
		{"a barrier between a put and a load", 2, func(s *script) {
			s.put(putData, 0, 1, data)
			s.barrier("shmem_barrier_all:15", true)
			s.own(load, 1, 0, data)
		}, nil},
		{"a put after the barrier before which it was loaded", 2, func(s *script) {
			s.own(load, 1, 0, data)
			s.barrier("shmem_barrier_all:15", true)
			s.put(putData, 0, 1, data)
		}, nil},
		{"a flag after a fence, and a load", 2, func(s *script) {
			s.put(putData, 0, 1, data)
			s.step("shmem_fence:11", 0, layout.Fence)
			s.put(setFlag, 0, 1, flg)
			s.sees(waitFlag, 1, flg)
			s.own(load, 1, 0, data)
			s.own(store, 1, layout.OwnStore, flg)
		}, nil},
		{"a flag that is polled by a volatile load, and set back by a plain store", 2, func(s *script) {
			s.put(putData, 0, 1, data)
			s.step("shmem_fence:11", 0, layout.Fence)
			s.put(setFlag, 0, 1, flg)
			s.own(poll, 1, volatile, flg)
			s.own(load, 1, 0, data)
			s.own(store, 1, layout.OwnStore, flg)
		}, nil},
		{"the same without a fence", 2, func(s *script) {
			s.put(putData, 0, 1, data)
			s.put(setFlag, 0, 1, flg)
			s.own(poll, 1, volatile, flg)
			s.own(load, 1, 0, data)
		}, []string{"Data race on a variable of PE 1: PE 0 puts to it by shmem_long_put at a.c:10, and PE 1 reads it " +
			"itself at a.c:30, and nothing orders the two accesses."}},
		{"the volatile load comes later", 2, func(s *script) {
			s.put(setFlag, 0, 1, flg)
			s.own(load, 1, 0, flg)
			s.own(poll, 1, volatile, flg)
		}, []string{"PE 1 reads it itself at a.c:30, and nothing orders"}},
		{"more volatile loads in a row than are recorded", 2, func(s *script) {
			s.put(setFlag, 0, 1, flg)
			for n := range mostOrders {
				s.own(poll, 1, volatile, variable(100+n))
			}
			s.own(store, 1, layout.OwnStore, flg)
		}, []string{"predicted: Possible data race on a variable of PE 1: PE 0 puts to it by shmem_long_p at a.c:12, " +
			"and PE 1 writes it itself at a.c:31, and nothing that is seen orders the two accesses; " +
			"but which loads are atomic or volatile, and may have waited for another PE, is not known of all."}},
		{"a compiler that does not say which loads are volatile", 2, func(s *script) {
			s.put(putData, 0, 1, data)
			s.own(load, 1, layout.OwnVague, data)
		}, []string{"predicted: Possible data race"}},
		{"a place near by where not all was looked at", 2, func(s *script) {
			s.put(setFlag, 0, 1, flg)
			s.own(load, 1, layout.OwnSparse, data)
			s.own(store, 1, layout.OwnStore, flg)
		}, []string{"predicted: Possible data race"}},
		{"what was put before something else, which a plain load may have seen", 2, func(s *script) {
			s.put(putData, 0, 1, data)
			s.step("shmem_quiet:11", 0, layout.Quiet)
			s.put(setFlag, 0, 1, flg)
			s.own(load, 1, 0, data)
		}, []string{"predicted: Possible data race on a variable of PE 1: PE 0 puts to it by shmem_long_put at " +
			"a.c:10, and PE 1 reads it itself at a.c:30, " + onlyRead + ", which OpenSHMEM does not promise."}},
		{"a get of what the owner may have stored afterwards, and a put that is recorded before the load", 2,
			func(s *script) {
				s.step("shmem_quiet:5", 1, layout.Quiet)
				s.get("shmem_long_g:20", 0, 1, flg)
				s.put(putData, 0, 1, data)
				s.own(load, 1, 0, data)
			}, []string{"predicted: Possible data race on a variable of PE 1: PE 0 puts to it by shmem_long_put at " +
				"a.c:10, and PE 1 reads it itself at a.c:30, " + onlyRead}},
		{"the same, and the owner has made an atomic store", 2, func(s *script) {
			s.step("shmem_quiet:5", 1, layout.Quiet)
			s.get("shmem_long_g:20", 0, 1, flg)
			s.put(putData, 0, 1, data)
			s.own(load, 1, layout.OwnShown, data)
			s.own(poll, 1, volatile|layout.OwnStore|layout.OwnShown, flg)
		}, nil},
		{"the atomic store is recorded before it is got", 2, func(s *script) {
			s.own(load, 1, layout.OwnShown, data)
			s.own(poll, 1, volatile|layout.OwnStore|layout.OwnShown, flg)
			s.step("shmem_quiet:5", 1, layout.Quiet)
			s.get("shmem_long_g:20", 0, 1, flg)
			s.put(putData, 0, 1, data)
		}, nil},
		{"a get, and the store that it races with", 2, func(s *script) {
			s.step("shmem_quiet:5", 1, layout.Quiet)
			s.get(getData, 0, 1, data)
			s.own(store, 1, layout.OwnStore, data)
		}, []string{"Data race on a variable of PE 1: PE 0 reads it by shmem_long_get at a.c:21, and PE 1 writes it " +
			"itself at a.c:31, and nothing orders the two accesses."}},
		{"what is sent is stored before shmem_quiet", 2, func(s *script) {
			s.access("shmem_long_put_nbi:10", 0, layout.Read, layout.Pending, 0, buffer, 4)
			s.put("shmem_long_put_nbi:10", 0, 1, data)
			s.own(load, 0, 0, buffer)
			s.own(store, 0, layout.OwnStore, buffer+24)
			s.own(other, 0, layout.OwnStore, buffer+32)
		}, []string{"PE 0 writes a private buffer itself at a.c:31, which shmem_long_put_nbi at a.c:10 may still " +
			"read, as no shmem_quiet is between."}},
		{"what is got is loaded before shmem_quiet", 2, func(s *script) {
			s.access("shmem_long_get_nbi:10", 0, layout.Read, layout.Pending, 1, data, 1)
			s.access("shmem_long_get_nbi:10", 0, layout.Write, layout.Pending, 0, word, 1)
			s.own(load, 0, 0, word)
		}, []string{"PE 0 reads a variable itself at a.c:30, which shmem_long_get_nbi at a.c:10 may still write, as " +
			"no shmem_quiet is between."}},
		{"both after shmem_quiet", 2, func(s *script) {
			s.access("shmem_long_put_nbi:10", 0, layout.Read, layout.Pending, 0, buffer, 4)
			s.access("shmem_long_get_nbi:11", 0, layout.Write, layout.Pending, 0, word, 1)
			s.step("shmem_quiet:12", 0, layout.Quiet)
			s.own(load, 0, 0, word)
			s.own(store, 0, layout.OwnStore, buffer)
		}, nil},
		{"what is sent is stored after an answer of the other PE", 2, func(s *script) {
			s.access("shmem_long_put_nbi:10", 0, layout.Read, layout.Pending, 0, buffer, 1)
			s.put("shmem_long_put_nbi:10", 0, 1, data)
			s.step("shmem_fence:11", 0, layout.Fence)
			s.put(setFlag, 0, 1, flg)
			s.sees(waitFlag, 1, flg)
			s.put("shmem_long_p:22", 1, 0, word)
			s.sees("shmem_long_wait_until:13", 0, word)
			s.own(store, 0, layout.OwnStore, buffer)
		}, []string{"predicted: Possible data race on a private buffer of PE 0: PE 0 reads it by shmem_long_put_nbi " +
			"at a.c:10, and writes it itself at a.c:31, " +
			"and nothing that is seen orders the two accesses; but another PE may have said that the data has come."}},
		{"a load and a store of one variable", 2, func(s *script) {
			s.own(load, 1, 0, data)
			s.own(store, 1, layout.OwnStore, data)
			s.put(putData, 0, 1, data)
		}, []string{"PE 1 reads it itself at a.c:30"}},
		{"a lock around both", 2, func(s *script) {
			for pe := range 2 {
				s.record(pe, layout.Record{Kind: layout.Locked, Site: s.site("shmem_set_lock:9"),
					Offset: word, Size: 8})
				if pe == 0 {
					s.put(putData, pe, 1, data)
				} else {
					s.own(store, pe, layout.OwnStore, data)
				}
				s.step("shmem_clear_lock:11", pe, layout.Quiet)
				s.record(pe, layout.Record{Kind: layout.Unlock, Site: s.site("shmem_clear_lock:11"),
					Offset: word, Size: 8})
			}
		}, nil},
		{"an access of another PE's memory is none of its own", 2, func(s *script) {
			s.access(load, 1, layout.Own, 0, 0, data, 1)
			s.put(putData, 1, 0, data)
		}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newScript(t, c.pes)
			c.run(s)
			s.expect(c.want...)
		})
	}
}
