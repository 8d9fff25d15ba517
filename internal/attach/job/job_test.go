package job

import "testing"

// TestARankIsKnownByItsLaunchersVariables and a batch script, which Slurm gives a number too, is none.
func TestARankIsKnownByItsLaunchersVariables(t *testing.T) {
	for _, c := range []struct {
		env  map[string]string
		rank int
		is   bool
		job  string
	}{
		{map[string]string{"OMPI_COMM_WORLD_RANK": "3", "SLURM_PROCID": "0", "PMIX_NAMESPACE": "77"}, 3, true, "77"},
		{map[string]string{"PMI_RANK": "2", "SLURM_JOB_ID": "5", "SLURM_STEP_ID": "0"}, 2, true, "5.0"},
		{map[string]string{"PMIX_RANK": "1", "PMIX_NAMESPACE": "slurm.pmix.5.0"}, 1, true, "slurm.pmix.5.0"},
		{map[string]string{"SLURM_PROCID": "4", "SLURM_JOB_ID": "5", "SLURM_STEP_ID": "1"}, 4, true, "5.1"},
		{map[string]string{"SLURM_PROCID": "0", "SLURM_JOB_ID": "5"}, 0, false, ""},
		{map[string]string{"PMI_RANK": "first"}, 0, false, ""},
	} {
		_, n, is := numbered(c.env)
		if n != c.rank || is != c.is {
			t.Errorf("%v: rank %d, %v, want %d, %v", c.env, n, is, c.rank, c.is)
		}
		if name := known(c.env, nil); is && name != c.job {
			t.Errorf("%v: job %q, want %q", c.env, name, c.job)
		}
	}
	r := Rank{Job: "slurm.pmix.5.0", Batch: "5"}
	if !r.Is("5") || !r.Is("slurm.pmix.5.0") || r.Is("") {
		t.Errorf("%+v is not what it is", r)
	}
}
