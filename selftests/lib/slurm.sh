# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Start Slurm on the two machines of cluster.sh: its controller on vm1, and a daemon that starts
# ranks on both. The machines need the layer "slurm" (scripts/vm --layer slurm). Both have the same
# root, and so the same key of munge, with which Slurm signs its messages.
#
#   slurm               start the daemons, and wait until both machines are idle
#   two_are_idle        succeeds if both machines wait for a job

# slurm_daemons DAEMON...: write the configuration, and start munged and these daemons. There is
# neither systemd nor a hierarchy of cgroup v1.
slurm_daemons()
{
	local daemon

	mkdir -p /etc/slurm /tmp/slurmctld /tmp/slurmd
	cat >/etc/slurm/slurm.conf <<-'END'
		ClusterName=rdmafault
		SlurmctldHost=vm1
		SlurmUser=root
		ProctrackType=proctrack/linuxproc
		TaskPlugin=task/none
		ReturnToService=2
		SlurmctldPidFile=/run/slurmctld.pid
		SlurmdPidFile=/run/slurmd.pid
		StateSaveLocation=/tmp/slurmctld
		SlurmdSpoolDir=/tmp/slurmd
		NodeName=vm[1-2] CPUs=2 CoresPerSocket=2
		PartitionName=all Nodes=ALL Default=YES
	END
	echo CgroupPlugin=cgroup/v1 >/etc/slurm/cgroup.conf
	install -d -o munge -g munge /run/munge /var/log/munge /var/lib/munge
	runuser -u munge -- munged || return
	for daemon; do
		"$daemon" >/dev/null || return
	done
}

two_are_idle()
{
	[ "$(sinfo -h -o "%D %t")" = "2 idle" ]
}

slurm()
{
	slurm_daemons slurmctld slurmd &&
		on vm2 "$(declare -f slurm_daemons); slurm_daemons slurmd" &&
		wait_until 60 two_are_idle
}
