package judge

import (
	"testing"

	"unknot/internal/shmem/layout"
)

// reach has a PE get the address of another one's memory.
func (s *script) reach(pe, owner int) {
	s.t.Helper()
	s.record(pe, layout.Record{Kind: layout.Direct, Flags: layout.ReachSeen, Owner: uint16(owner),
		Site: s.site("shmem_ptr:8")})
}

// direct has a PE access a word of another one's memory itself.
func (s *script) direct(line string, pe int, flags uint8, owner int, at uint64) {
	s.t.Helper()
	s.access(line, pe, layout.Own, flags, owner, at, 1)
}

// TestDirectAccesses has small programs that load from other PEs' memory and store to it, and what is said of them.
func TestDirectAccesses(t *testing.T) {
	const shown = layout.OwnShown
	flagSet := func(s *script) { s.direct(":34", 0, layout.OwnStore, 1, flg) }
	for _, c := range []struct {
		name string
		pes  int
		run  func(s *script)
		want []string
	}{
		{"a store, and a load of the owner", 2, func(s *script) {
			s.reach(0, 1)
			s.direct(store, 0, layout.OwnStore, 1, data)
			s.own(load, 1, 0, data)
		}, []string{"Data race on a variable of PE 1: PE 0 writes it by an address of shmem_ptr at a.c:31, and PE 1 " +
			"reads it itself at a.c:30, and nothing orders the two accesses."}},
		{"a load, and a put of another PE", 3, func(s *script) {
			s.reach(0, 1)
			s.put(putData, 2, 1, data)
			s.direct(load, 0, 0, 1, data)
		}, []string{"PE 0 reads it by an address of shmem_ptr at a.c:30, and PE 2 puts to it by shmem_long_put at " +
			"a.c:10, and nothing orders"}},
		{"stores of two PEs", 3, func(s *script) {
			s.reach(0, 1)
			s.reach(2, 1)
			s.direct(store, 0, layout.OwnStore, 1, data)
			s.direct(other, 2, layout.OwnStore, 1, data)
		}, []string{"PE 0 writes it by an address of shmem_ptr at a.c:31, and PE 2 writes it by an address of " +
			"shmem_ptr at a.c:33, and nothing orders"}},
		{"what the PE has put itself", 2, func(s *script) {
			s.reach(0, 1)
			s.put(putData, 0, 1, data)
			s.direct(load, 0, 0, 1, data)
		}, []string{"PE 0 reads a variable by an address of shmem_ptr at a.c:30, which shmem_long_put at a.c:10 may " +
			"still write, as no shmem_quiet is between."}},
		{"a barrier between", 2, func(s *script) {
			s.reach(0, 1)
			s.direct(store, 0, layout.OwnStore, 1, data)
			s.barrier("shmem_sync_all:15", false)
			s.own(load, 1, 0, data)
		}, nil},
		{"a flag that is put after the store", 2, func(s *script) {
			s.reach(0, 1)
			s.direct(store, 0, layout.OwnStore, 1, data)
			s.put(setFlag, 0, 1, flg)
			s.sees(waitFlag, 1, flg)
			s.own(load, 1, 0, data)
		}, nil},
		{"a flag that is stored after a fence", 2, func(s *script) {
			s.reach(0, 1)
			s.direct(store, 0, layout.OwnStore, 1, data)
			s.step("shmem_fence:11", 0, layout.Fence)
			flagSet(s)
			s.sees(waitFlag, 1, flg)
			s.own(load, 1, 0, data)
			s.own(other, 1, layout.OwnStore, flg)
		}, nil},
		{"the same, where it is known later that the flag was stored", 2, func(s *script) {
			s.reach(0, 1)
			s.direct(store, 0, layout.OwnStore, 1, data)
			s.step("shmem_fence:11", 0, layout.Fence)
			s.sees(waitFlag, 1, flg)
			s.own(load, 1, 0, data)
			s.own(other, 1, layout.OwnStore, flg)
			flagSet(s)
		}, nil},
		{"a flag without a fence", 2, func(s *script) {
			s.reach(0, 1)
			s.sees(waitFlag, 1, flg)
			s.own(load, 1, 0, data)
			s.direct(store, 0, layout.OwnStore, 1, data)
			flagSet(s)
		}, []string{"predicted: Possible data race on a variable of PE 1: PE 0 writes it by an address of shmem_ptr " +
			"at a.c:31, and PE 1 reads it itself at a.c:30, " + onlyRead}},
		{"a flag of another PE, that has stored nothing", 3, func(s *script) {
			s.reach(0, 1)
			s.direct(store, 0, layout.OwnStore, 1, data)
			s.step("shmem_fence:11", 0, layout.Fence)
			s.put(setFlag, 2, 1, flg)
			s.sees(waitFlag, 1, flg)
			s.own(load, 1, 0, data)
		}, []string{"PE 1 reads it itself at a.c:30, and nothing orders"}},
		{"a volatile flag in the memory of the other PE", 2, func(s *script) {
			s.reach(0, 1)
			s.direct(store, 0, layout.OwnStore|shown, 1, data)
			s.direct(poll, 0, volatile|layout.OwnStore|shown, 1, flg)
			s.own(poll, 1, volatile, flg)
			s.own(load, 1, 0, data)
		}, nil},
		{"the same, known later", 2, func(s *script) {
			s.reach(0, 1)
			s.own(poll, 1, volatile, flg)
			s.own(load, 1, 0, data)
			s.direct(store, 0, layout.OwnStore|shown, 1, data)
			s.direct(poll, 0, volatile|layout.OwnStore|shown, 1, flg)
		}, nil},
		{"a volatile flag that is waited for by a call", 2, func(s *script) {
			s.reach(0, 1)
			s.direct(store, 0, layout.OwnStore|shown, 1, data)
			s.direct(poll, 0, volatile|layout.OwnStore|shown, 1, flg)
			s.sees(waitFlag, 1, flg)
			s.own(load, 1, 0, data)
		}, nil},
		{"a volatile flag of the owner's", 2, func(s *script) {
			s.reach(0, 1)
			s.own(store, 1, layout.OwnStore|shown, data)
			s.own(poll, 1, volatile|layout.OwnStore|shown, flg)
			s.direct(poll, 0, volatile, 1, flg)
			s.direct(load, 0, 0, 1, data)
		}, nil},
		{"the same, known later", 2, func(s *script) {
			s.reach(0, 1)
			s.direct(poll, 0, volatile, 1, flg)
			s.direct(load, 0, 0, 1, data)
			s.own(store, 1, layout.OwnStore|shown, data)
			s.own(poll, 1, volatile|layout.OwnStore|shown, flg)
		}, nil},
		{"a volatile flag, and a PE that does not look at it", 3, func(s *script) {
			s.reach(0, 1)
			s.reach(2, 1)
			s.direct(load, 2, 0, 1, data)
			s.direct(store, 0, layout.OwnStore|shown, 1, data)
			s.direct(poll, 0, volatile|layout.OwnStore|shown, 1, flg)
		}, []string{"PE 0 writes it by an address of shmem_ptr at a.c:31, and PE 2 reads it by an address of " +
			"shmem_ptr at a.c:30, and nothing orders"}},
		{"what was put before something else, which a plain load may have seen", 3, func(s *script) {
			s.reach(0, 1)
			s.put(putData, 2, 1, data)
			s.step("shmem_quiet:11", 2, layout.Quiet)
			s.put(setFlag, 2, 1, flg)
			s.direct(load, 0, 0, 1, data)
		}, []string{"predicted: Possible data race on a variable of PE 1: PE 0 reads it by an address of shmem_ptr " +
			"at a.c:30, and PE 2 puts to it by shmem_long_put at a.c:10, " + onlyRead}},
		{"no address was got", 2, func(s *script) {
			s.direct(store, 0, layout.OwnStore, 1, data)
			s.own(load, 1, 0, data)
		}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newScript(t, c.pes)
			c.run(s)
			s.expect(c.want...)
		})
	}
}
