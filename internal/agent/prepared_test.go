package agent

import "testing"

// TestCallsThatWereMadeBeforeAreNotJudgedAnew replays an exchange, of which nothing has to be judged the second time,
// and calls of ScaLAPACK's kind, of which arrays of requests are looked at each time.
func TestCallsThatWereMadeBeforeAreNotJudgedAnew(t *testing.T) {
	for name, iteration := range map[string]func(s *script, left, right uint64, barrier bool){
		"exchange": (*script).exchange, "algebra": (*script).algebra, "again": (*script).again} {
		t.Run(name, func(t *testing.T) {
			a, tapes := watched(t, 2, 1<<10, iteration)
			prepared := func() uint64 { return a.checks.Watch.Prepared + a.follow.Remade }
			round := func() (calls, judged uint64) {
				calls, judged = a.follow.Calls, prepared()
				for _, p := range tapes {
					p.replay()
				}
				for a.readRings() {
				}
				return a.follow.Calls - calls, prepared() - judged
			}
			if calls, n := round(); n >= calls {
				t.Errorf("%d of %d calls were given what others had been given before, the first time", n, calls)
			}
			if calls, n := round(); calls == 0 || n < calls && name == "exchange" || n < calls*4/5 {
				t.Errorf("%d of %d calls were given what others had been given before, the second time", n, calls)
			}
		})
	}
}
