package judge

import (
	"slices"
	"strings"
	"testing"

	"unknot/internal/shmem/layout"
	"unknot/internal/vocab/finding"
)

// TestMistakes has each mistake once, and what is said of it.
func TestMistakes(t *testing.T) {
	block := uint64(1) << layout.BlockBits
	for _, c := range []struct {
		mistake layout.Mistake
		r       layout.Record
		code    finding.Code
		want    string
	}{
		{layout.WrongPE, layout.Record{Offset: 7, Count: 2}, finding.SHMEMArgument,
			"PE 1 passes shmem_f at a.c:10 the PE 7, but there are only 2 PEs, 0 to 1."},
		{layout.WrongPE, layout.Record{Offset: ^uint64(0), Count: 1}, finding.SHMEMArgument,
			"PE 1 passes shmem_f at a.c:10 the PE -1, but there is only 1 PE, 0."},
		{layout.NotSymmetric, layout.Record{Offset: 0x1000, Size: uint32(layout.ArgTarget)}, finding.SHMEMArgument,
			"PE 1 passes shmem_f at a.c:10 the address 0x1000 as dest, which is not symmetric."},
		{layout.FreedMemory, layout.Record{Offset: 0x1000, Size: uint32(layout.ArgSource), Value: 2},
			finding.SHMEMArgument,
			"PE 1 passes shmem_f at a.c:10 memory as source that was freed at a.c:20."},
		{layout.OutOfBounds, layout.Record{Offset: block + 40, Count: 80, Value: 40, Size: uint32(layout.ArgTarget)},
			finding.SHMEMArgument,
			"PE 1 passes shmem_f at a.c:10 byte 40 of the block of 80 bytes that shmem_g allocated at a.c:20 as " +
				"dest, of which it accesses 80 bytes, but only 40 bytes are there."},
		{layout.NullPointer, layout.Record{Size: uint32(layout.ArgSync)}, finding.SHMEMArgument,
			"PE 1 passes shmem_f at a.c:10 a null pointer as pSync."},
		{layout.WrongStride, layout.Record{Offset: ^uint64(2), Size: uint32(layout.ArgTargetStride)},
			finding.SHMEMArgument, "PE 1 passes shmem_f at a.c:10 the stride -3 as dst."},
		{layout.WrongCompare, layout.Record{Offset: 9}, finding.SHMEMArgument,
			"PE 1 passes shmem_f at a.c:10 the comparison 9, which does not exist."},
		{layout.WrongSet, layout.Record{Offset: 1, Count: 0, Value: 4}, finding.SHMEMArgument,
			"PE 1 passes shmem_f at a.c:10 PE_start 1, logPE_stride 0 and PE_size 4, which is not an active set: " +
				"there are only 2 PEs, 0 to 1."},
		{layout.NotInSet, layout.Record{Offset: 0, Count: 0, Value: 1}, finding.SHMEMArgument,
			"PE 1 calls shmem_f at a.c:10, but is not in the active set with PE_start 0, logPE_stride 0 and PE_size 1."},
		{layout.WrongRoot, layout.Record{Offset: 3, Count: 2}, finding.SHMEMArgument,
			"PE 1 passes shmem_f at a.c:10 the PE_root 3, but there are only 2 PEs, 0 to 1 in the active set."},
		{layout.Overlap, layout.Record{Count: 80, Size: uint32(layout.ArgSource)}, finding.SHMEMArgument,
			"PE 1 passes shmem_f at a.c:10 a dest and a source of 80 bytes each, and the two overlap."},
		{layout.WrongSync, layout.Record{Offset: 3, Value: 7}, finding.SHMEMArgument,
			"PE 1 passes shmem_f at a.c:10 a pSync whose element 3 is 7, not SHMEM_SYNC_VALUE."},
		{layout.NotHeld, layout.Record{Offset: block}, finding.SHMEMLock,
			"PE 1 gives back the lock in the block of 80 bytes that shmem_g allocated at a.c:20 by shmem_f at " +
				"a.c:10, but does not hold it."},
		{layout.HeldAlready, layout.Record{Offset: variable(0), Value: 2}, finding.SHMEMLock,
			"PE 1 takes the lock in a variable by shmem_f at a.c:10, which it has held since a.c:20: it waits for " +
				"itself forever."},
		{layout.HeldAtEnd, layout.Record{Offset: variable(0), Value: 2}, finding.SHMEMLock,
			"PE 1 still holds the lock in a variable, which it has taken at a.c:20, when it calls shmem_f at a.c:10."},
		{layout.NotABlock, layout.Record{Offset: 0x1000}, finding.SHMEMArgument,
			"PE 1 passes shmem_f at a.c:10 the address 0x1000 as ptr, which shmem_malloc has not given."},
		{layout.FreedTwice, layout.Record{Offset: 0x1000, Value: 2}, finding.SHMEMArgument,
			"PE 1 passes shmem_f at a.c:10 a block as ptr that was freed already at a.c:20."},
		{layout.BeforeInit, layout.Record{}, finding.SHMEMOrder, "PE 1 calls shmem_f at a.c:10 before shmem_init."},
		{layout.AfterFinalize, layout.Record{}, finding.SHMEMOrder,
			"PE 1 calls shmem_f at a.c:10 after shmem_finalize."},
		{layout.InitTwice, layout.Record{}, finding.SHMEMOrder,
			"PE 1 calls shmem_f at a.c:10, though OpenSHMEM is initialised already."},
		{layout.WrongContext, layout.Record{}, finding.SHMEMOrder,
			"PE 1 calls shmem_f at a.c:10 with a ctx that was destroyed, or never created."},
		{layout.DefaultContext, layout.Record{}, finding.SHMEMOrder,
			"PE 1 calls shmem_f at a.c:10 with SHMEM_CTX_DEFAULT as ctx, which may not be destroyed."},
		{layout.ContextThread, layout.Record{}, finding.SHMEMOrder, "PE 1 calls shmem_f at a.c:10 in another thread " +
			"than the one that has made its ctx, with SHMEM_CTX_PRIVATE."},
		{layout.ContextThread, layout.Record{Offset: 1}, finding.SHMEMOrder, "PE 1 calls shmem_f at a.c:10 while another " +
			"thread is in a call with the same ctx, made with SHMEM_CTX_SERIALIZED."},
		{layout.WrongThread, layout.Record{Offset: 1}, finding.SHMEMOrder,
			"while another thread is in such a call, but the thread level is SHMEM_THREAD_FUNNELED."},
		{layout.WrongLevel, layout.Record{Offset: 9}, finding.SHMEMOrder,
			"PE 1 passes shmem_f at a.c:10 the thread level 9, which does not exist."},
		{layout.Misaligned, layout.Record{Offset: 0x1003, Count: 8, Size: uint32(layout.ArgIvar)},
			finding.SHMEMArgument,
			"PE 1 passes shmem_f at a.c:10 the address 0x1003 as ivar, which is not a multiple of 8."},
		{layout.WrongSize, layout.Record{Count: 1 << 62}, finding.SHMEMArgument,
			"PE 1 passes shmem_f at a.c:10 a number of elements, 4611686018427387904, that no memory can have."},
	} {
		s := newScript(t, 2)
		s.site("shmem_f:10")
		s.record(0, layout.Record{Kind: layout.Alloc, Site: s.site("shmem_g:20"), Offset: block, Count: 80})
		c.r.Kind, c.r.Flags, c.r.Site = layout.Wrong, uint8(c.mistake), 1
		s.record(1, c.r)
		all := s.findings()
		if len(all) != 1 || !strings.Contains(all[0].Sentence, c.want) || all[0].Code != c.code || all[0].Hint == "" ||
			(all[0].Severity == finding.Warning) != (c.mistake == layout.HeldAtEnd) {
			t.Errorf("mistake %d: got %+v\nwant %s", c.mistake, all, c.want)
		}
	}
}

// TestTheSameMistakeOfSeveralPEsIsOneFinding has two PEs make it, one of them twice.
func TestTheSameMistakeOfSeveralPEsIsOneFinding(t *testing.T) {
	s := newScript(t, 3)
	for _, pe := range []int{2, 0, 2} {
		s.record(pe, layout.Record{Kind: layout.Wrong, Flags: uint8(layout.WrongPE), Site: s.site("shmem_long_p:10"),
			Offset: uint64(pe + 10), Count: 3})
	}
	all := s.findings()
	if len(all) != 1 || all[0].Count != 3 || len(all[0].Ranks) != 2 || len(all[0].Places) != 2 ||
		all[0].Places[1].Rank != 2 ||
		!strings.HasPrefix(all[0].Sentence, "PE 0 passes shmem_long_p at a.c:10 the PE 10,") {
		t.Errorf("got %+v", all)
	}
}

// TestDisagreements has PEs make calls that are not the same.
func TestDisagreements(t *testing.T) {
	for _, c := range []struct {
		name  string
		calls [3]string
		set   func(pe int, r *layout.Record)
		kind  layout.Collective
		want  []string
		ranks int
	}{
		{"roots", [3]string{"shmem_broadcast64:12", "shmem_broadcast64:12", "shmem_broadcast64:14"},
			func(pe int, r *layout.Record) { r.Owner, r.Count, r.Size = uint16(pe/2), 4, 8 },
			layout.Broadcast, []string{"PE 0 calls shmem_broadcast64 with root 0 at a.c:12, and PE 2 calls it with " +
				"root 1 at a.c:14: all PEs must pass the same root."}, 2},
		{"sizes", [3]string{"shmem_malloc:5", "shmem_malloc:5", "shmem_malloc:5"}, func(pe int, r *layout.Record) {
			r.Count, r.Size = uint64(100+pe), 1
		},
			layout.AllocateCall, []string{"PE 0 calls shmem_malloc with 100 bytes at a.c:5, and PE 1 calls it with " +
				"101 bytes at a.c:5: all PEs must ask for the same size."}, 3},
		{"functions", [3]string{"shmem_int_sum_to_all:5", "shmem_int_max_to_all:6", "shmem_int_sum_to_all:5"},
			func(int, *layout.Record) {},
			layout.Reduce, []string{"PE 0 calls shmem_int_sum_to_all at a.c:5, and PE 1 calls shmem_int_max_to_all " +
				"at a.c:6: all PEs must call the same function."}, 2},
		{"elements", [3]string{"shmem_fcollect64:5", "shmem_fcollect64:5", "shmem_fcollect64:5"},
			func(pe int, r *layout.Record) { r.Count, r.Size = 1+uint64(pe/2), 8 },
			layout.FCollect, []string{"PE 0 calls shmem_fcollect64 with 1 element at a.c:5, and PE 2 calls it with 2 " +
				"elements at a.c:5: all PEs must pass the same number of elements."}, 2},
		{"elements that may differ", [3]string{"shmem_collect64:5", "shmem_collect64:5", "shmem_collect64:5"},
			func(pe int, r *layout.Record) { r.Count, r.Size = uint64(pe), 8 },
			layout.Collect, nil, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newScript(t, 3)
			const times = 4
			for range times {
				var all []layout.Record
				for pe, call := range c.calls {
					r := s.collective(call, pe, s.all(), c.kind)
					c.set(pe, &r)
					s.record(pe, r)
					all = append(all, r)
				}
				for pe, r := range all {
					r.Kind = layout.Leave
					s.record(pe, r)
				}
			}
			found := s.findings()
			if len(found) != len(c.want) {
				t.Fatalf("got %+v", found)
			}
			for i, f := range found {
				if f.Sentence != c.want[i] || len(f.Ranks) != c.ranks || f.Count < times ||
					f.Code != finding.SHMEMCollective {
					t.Errorf("got %+v\nwant %s", f, c.want[i])
				}
			}
			if j := s.reader.jobs[jobNumber]; len(j.sets[s.all()].calls) != 0 {
				t.Errorf("%d calls are remembered that all have left", len(j.sets[s.all()].calls))
			}
		})
	}
}

// TestActiveSetsThatDiffer has PE 0 in a call with one active set and PE 1 come to the same function with another one.
func TestActiveSetsThatDiffer(t *testing.T) {
	const sums, waiting = "shmem_int_sum_to_all",
		"both are members of both active sets, and each waits for the other one to come to its own."
	for _, c := range []struct {
		name  string
		other layout.Set // of PE 1
		call  string
		kind  layout.Collective
		want  []string
	}{
		{"size", layout.NewSet(0, 0, 2), sums + ":5", layout.Reduce, []string{
			"PE 0 calls shmem_int_sum_to_all with PE_size 3 at a.c:5, and PE 1 calls it with PE_size 2 at a.c:5: " +
				waiting}},
		{"all", layout.NewSet(0, 0, 4), sums + ":5", layout.Reduce, []string{
			"PE 0 calls shmem_int_sum_to_all with PE_size 3 at a.c:5, and PE 1 calls it with PE_size 4 at a.c:5: " +
				waiting}},
		{"in another line", layout.NewSet(0, 0, 2), sums + ":6", layout.Reduce, nil},
		{"without PE 0", layout.NewSet(1, 0, 3), sums + ":5", layout.Reduce, nil},
		{"another function", layout.NewSet(0, 0, 2), "shmem_int_max_to_all:5", layout.Reduce, nil},
		{"a broadcast, whose root may have left", layout.NewSet(0, 0, 2), sums + ":5", layout.Broadcast, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newScript(t, 4)
			with := func(call string, pe int, set layout.Set) {
				r := s.collective(call, pe, set, c.kind)
				r.Count, r.Size = 1, 4
				s.record(pe, r)
				for owner := range 2 {
					s.access(call, pe, layout.Write, layout.Part, owner, variable(7), 1) // pSync
				}
			}
			with(sums+":5", 0, layout.NewSet(0, 0, 3))
			s.record(3, s.collective("shmem_barrier_all:9", 3, s.all(), layout.BarrierAll)) // is none of the first set
			with(c.call, 1, c.other)
			var got []string
			for _, f := range s.findings() {
				if f.Code == finding.SHMEMCollective {
					got = append(got, f.Sentence)
				} else if c.want != nil {
					t.Errorf("told besides: %s", f.Sentence)
				}
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// TestCallsOfSeveralActiveSets are right: PE 1 has left the first call, which PE 0 is slow to leave, and is in the
// second one.
func TestCallsOfSeveralActiveSets(t *testing.T) {
	s := newScript(t, 3)
	first, second := layout.NewSet(0, 0, 2), s.all()
	a, b := s.collective("shmem_barrier:5", 0, first, layout.Barrier), s.collective("shmem_barrier:5", 1, first,
		layout.Barrier)
	s.record(0, a)
	s.record(1, b)
	b.Kind = layout.Leave
	s.record(1, b)
	s.record(1, s.collective("shmem_barrier:6", 1, second, layout.Barrier))
	s.record(2, s.collective("shmem_barrier:6", 2, second, layout.Barrier))
	a.Kind = layout.Leave
	s.record(0, a)
	s.record(0, s.collective("shmem_barrier:6", 0, second, layout.Barrier))
	s.expect()
}

// TestOnlyWhatCallsHaveIsToldOfThem: a barrier has no elements.
func TestOnlyWhatCallsHaveIsToldOfThem(t *testing.T) {
	s := newScript(t, 2)
	sum, barrier := s.collective("shmem_int_sum_to_all:5", 0, s.all(), layout.Reduce),
		s.collective("shmem_barrier_all:6", 1, s.all(), layout.BarrierAll)
	sum.Count, sum.Size, barrier.Size = 1, 4, 1
	s.record(0, sum)
	s.record(1, barrier)
	s.expect("PE 0 calls shmem_int_sum_to_all at a.c:5, and PE 1 calls shmem_barrier_all at a.c:6: all PEs must call " +
		"the same function.")
}
