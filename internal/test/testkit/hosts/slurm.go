package hosts

import (
	"fmt"
	"strings"
)

// slurmdPort is where the daemons of nodes listen.
const slurmdPort = 6818

// cgroups keeps slurmd from looking for the version of cgroups under /sys/fs/cgroup, where a host has nothing; it makes
// none with the configuration below.
const cgroups = "CgroupPlugin=cgroup/v1\n"

// fences has Slurm's PMIx plugin use its ring for all fences. By its tree, which is the default for those without data,
// the ranks of one node may leave the second fence of MPI_Init while those of another have not left the first: Open MPI
// then gets messages for which it is not ready, and jumps to address 0.
const fences = "PMIxCollFence=ring\n"

// slurm is the configuration of Slurm, which all hosts have alike.
//
// Jobs are followed by process numbers (proctrack/linuxproc): cgroups would work too, but are one hierarchy for the
// machine, in which a cluster that is killed would leave directories behind.
func (h hostPlan) slurm() string {
	var nodes, names strings.Builder
	for i, p := range h.Plan.Hosts[1:] {
		fmt.Fprintf(&nodes, "NodeName=%s NodeAddr=%s CPUs=8 State=UNKNOWN\n", p.Name, p.address())
		if i > 0 {
			names.WriteByte(',')
		}
		names.WriteString(p.Name)
	}
	controller := h.Plan.Hosts[0]
	epilog := ""
	if h.Plan.Epilog != "" {
		epilog = "Epilog=" + h.Plan.Epilog + "\n"
	}
	return fmt.Sprintf(`ClusterName=unknot
SlurmctldHost=%s(%s)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
CredType=cred/munge
StateSaveLocation=/var/spool/slurmctld
SlurmdSpoolDir=/var/spool/slurmd
SlurmdPort=%d
SlurmctldPidFile=/run/slurmctld.pid
SlurmdPidFile=/run/slurmd.pid
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
SchedulerParameters=batch_sched_delay=0,sched_min_interval=0,bf_interval=1
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SwitchType=switch/none
MpiDefault=pmix
ReturnToService=2
SlurmctldTimeout=10
SlurmdTimeout=10
KillWait=2
UnkillableStepTimeout=10
%s%sPartitionName=all Nodes=%s Default=YES MaxTime=INFINITE OverSubscribe=YES State=UP
`, controller.Name, controller.address(), slurmdPort, epilog, nodes.String(), names.String())
}
