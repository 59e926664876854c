// SPDX-License-Identifier: GPL-2.0
/*
 * The driver of scripts/bench: send RoCEv2 frames over a netdev from inside the
 * kernel, or receive them from it, and measure the cost of each.
 *
 *   echo "DEV COUNT FLOWS BURST LATER DSCPS [rx|fw]" >/proc/rfbench
 *   cat /proc/rfbench
 *
 * It sends COUNT frames of FLOWS queue pairs in turn, each queue pair with its own PSNs.
 * Their DSCP cycles through DSCPS priorities. 16 frames form one RDMA WRITE. The clock
 * is the TSC, which counts instructions in a VM with virtual time. There are two ways to
 * measure:
 *
 * BURST 0: the time of each call of dev_queue_xmit(). The time to make the frame is not
 * included. A frame during which a timer interrupt happened is not counted.
 *
 * BURST n: n frames are made, then sent at once directly after a clock tick. Then the CPU
 * spins until the netdev, a dummy, has sent all of them. The time that interrupts take
 * meanwhile is added, because they send the delayed and queued frames. The round gives
 * one figure per frame.
 *
 * LATER delays each frame by this number of nanoseconds: the time at which the frame must leave
 * is put into its timestamp, for a qdisc that obeys timestamps.
 *
 * With "rx", frames are received: the time of each call of netif_receive_skb(). The frames
 * have another host's address. The driver takes and frees them where a bridge would take
 * them, after the hooks and tc's ingress and before the IP stack. BURST and LATER must be 0.
 *
 * With "fw", frames are received likewise, and DEV is a port of a bridge, which forwards them to
 * the port of 02:00:00:00:00:02. The netdev of that port frees them.
 *
 * Magic NOPs mark what is measured, for scripts/bench --account; ../account/account.c
 * describes them.
 */
#include <linux/etherdevice.h>
#include <linux/ip.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/netdevice.h>
#include <linux/nsproxy.h>
#include <linux/proc_fs.h>
#include <linux/rtnetlink.h>
#include <linux/sched/signal.h>
#include <linux/seq_file.h>
#include <linux/sort.h>
#include <linux/udp.h>
#include <linux/vmalloc.h>
#include <net/ip.h>
#include <net/pkt_sched.h>
#include <net/rtnetlink.h>
#include <asm/hardirq.h>
#include <asm/msr.h>

#define MARK(n)		asm volatile("nopl %c0(%%rax)" \
				     : : "i" (0x52460000 | (n)) : "memory")
#define MARK_BEGIN	1
#define MARK_END	2
#define MARK_INVALID	3
#define MARK_SERIES	4
#define MARK_SERIES_END	5

#define PAYLOAD		1024
#define BTH_LEN		12
#define ICRC_LEN	4
#define ROCE_LEN	(BTH_LEN + PAYLOAD + ICRC_LEN)
#define FRAME_LEN	(ETH_HLEN + sizeof(struct iphdr) + \
			 sizeof(struct udphdr) + ROCE_LEN)
#define ROCE_UDP_PORT	4791
#define WRITE_FIRST	0x06
#define WRITE_MIDDLE	0x07
#define WRITE_LAST	0x08
#define MESSAGE		16	/* frames */
#define FIRST_QP	0x20
#define COUNT_MAX	1000000
#define FLOWS_MAX	100000
#define BURST_MAX	10000
/* The longest time to wait until all frames of a burst are sent */
#define PATIENCE	(10ULL * NSEC_PER_SEC)
/*
 * A time in ticks of the TSC. Reading the number of frames takes less time than this,
 * an interrupt takes more.
 */
#define LOOK_MAX	300

/**
 * struct plan - a measurement
 * @dev: netdev to send over
 * @count: frames, or rounds if there is a burst
 * @flows: queue pairs
 * @burst: frames per round, or 0
 * @later: delay of each frame (see LATER), in ns, or 0
 * @dscps: number of priorities, from 1 to 8
 * @rx: receive the frames
 * @forward: let a bridge forward them
 * @sent: frames made so far
 */
struct plan {
	struct net_device *dev;
	u32 count;
	u32 flows;
	u32 burst;
	u64 later;
	u32 dscps;
	bool rx;
	bool forward;
	u64 sent;
};

/**
 * struct figures - the result of a measurement
 * @series: number of the measurement since the module was loaded
 * @frames: number of frames sent
 * @clean: number of valid figures
 * @mean: their mean, in thousandths of a tick
 * @p50: their median, in ticks
 * @p99: their 99th percentile, in ticks
 */
struct figures {
	u32 series;
	u64 frames;
	u32 clean;
	u64 mean;
	u32 p50;
	u32 p99;
};

static DEFINE_MUTEX(lock);
/* Each measurement continues the PSNs of the last one, so no frame is a retransmission. */
static u32 first_psn;
static struct figures last;
static u32 series;

/* IRQ_STAT_COUNTS: the kernel counts interrupts in an array, see Kbuild */
static u32 ticks_seen(void)
{
#ifdef IRQ_STAT_COUNTS
	return this_cpu_read(irq_stat.counts[IRQ_COUNT_APIC_TIMER]);
#else
	return this_cpu_read(irq_stat.apic_timer_irqs);
#endif
}

static void put24(u8 *to, u32 value)
{
	to[0] = value >> 16;
	to[1] = value >> 8;
	to[2] = value;
}

static void fill_ip(struct iphdr *ip, u8 dscp)
{
	*ip = (struct iphdr){
		.version = 4, .ihl = 5, .ttl = 64, .protocol = IPPROTO_UDP,
		.tos = dscp << 2 | 2,
		.tot_len = htons(FRAME_LEN - ETH_HLEN),
		.frag_off = htons(IP_DF),
		.saddr = htonl(0xc0000201), .daddr = htonl(0xc0000202),
	};
	ip_send_check(ip);
}

/*
 * All frames have the same length. The first frame of a message has a RETH, so its payload
 * is shorter.
 */
static u8 opcode(u32 psn)
{
	switch (psn % MESSAGE) {
	case 0:
		return WRITE_FIRST;
	case MESSAGE - 1:
		return WRITE_LAST;
	default:
		return WRITE_MIDDLE;
	}
}

static void fill_bth(u8 *bth, u32 qp, u32 psn)
{
	memset(bth, 0, BTH_LEN);
	bth[0] = opcode(psn);
	bth[2] = 0xff;
	bth[3] = 0xff;
	put24(bth + 5, qp);
	put24(bth + 9, psn);
}

/* The hosts on both sides of a bridge */
static const u8 near_addr[ETH_ALEN] __aligned(2) = { 0x02, 0, 0, 0, 0, 0x01 };
static const u8 far_addr[ETH_ALEN] __aligned(2) = { 0x02, 0, 0, 0, 0, 0x02 };

static void fill(struct sk_buff *skb, struct plan *plan)
{
	u32 flow = plan->sent % plan->flows;
	struct ethhdr *eth = skb_put(skb, sizeof(*eth));
	struct iphdr *ip = skb_put(skb, sizeof(*ip));
	struct udphdr *udp = skb_put(skb, sizeof(*udp));
	u8 *roce = skb_put_zero(skb, ROCE_LEN);

	eth_broadcast_addr(eth->h_dest);
	ether_addr_copy(eth->h_source, plan->dev->dev_addr);
	if (plan->forward) {
		ether_addr_copy(eth->h_dest, far_addr);
		ether_addr_copy(eth->h_source, near_addr);
	}
	eth->h_proto = htons(ETH_P_IP);
	fill_ip(ip, 8 * (plan->sent % plan->dscps));
	*udp = (struct udphdr){
		.source = htons(0xc000 + flow % 0x1000),
		.dest = htons(ROCE_UDP_PORT),
		.len = htons(sizeof(*udp) + ROCE_LEN),
	};
	fill_bth(roce, FIRST_QP + flow, first_psn + plan->sent / plan->flows);
}

/* Prepare a frame as the driver of a NIC does before it passes the frame to the network stack. */
static void arrive(struct sk_buff *skb)
{
	skb->priority = 0;
	skb->protocol = eth_type_trans(skb, skb->dev);
	skb->pkt_type = PACKET_OTHERHOST;
}

/* Take a frame that has passed all hooks. */
static rx_handler_result_t take(struct sk_buff **frame)
{
	consume_skb(*frame);
	return RX_HANDLER_CONSUMED;
}

static int take_from(struct net_device *dev)
{
	int err;

	rtnl_lock();
	err = netdev_rx_handler_register(dev, take, NULL);
	rtnl_unlock();
	return err;
}

static void leave(struct net_device *dev)
{
	rtnl_lock();
	netdev_rx_handler_unregister(dev);
	rtnl_unlock();
}

/* Make a frame with the header offsets set, as rxe does. */
static struct sk_buff *make(struct plan *plan)
{
	struct sk_buff *skb = alloc_skb(FRAME_LEN + LL_MAX_HEADER, GFP_KERNEL);

	if (!skb)
		return NULL;
	skb_reserve(skb, LL_MAX_HEADER);
	fill(skb, plan);
	skb->dev = plan->dev;
	skb->protocol = htons(ETH_P_IP);
	skb_reset_mac_header(skb);
	skb_set_network_header(skb, ETH_HLEN);
	skb_set_transport_header(skb, ETH_HLEN + sizeof(struct iphdr));
	skb->priority = plan->dscps > 1 ? plan->sent % plan->dscps : 0;
	if (plan->rx)
		arrive(skb);
	plan->sent++;
	return skb;
}

static void send(struct plan *plan, struct sk_buff *skb)
{
	if (plan->rx) {
		netif_receive_skb(skb);
		return;
	}
	if (plan->later)
		skb->tstamp = ktime_get_ns() + plan->later;
	dev_queue_xmit(skb);
}

/* Send one frame. Return: its time, 0 if the time is not valid, or a negative error. */
static s64 send_one(struct plan *plan)
{
	struct sk_buff *skb = make(plan);
	u64 begin, end;
	u32 ticks;

	if (!skb)
		return -ENOMEM;
	/* Frames are received in softirqs. */
	if (plan->rx)
		local_bh_disable();
	preempt_disable();
	ticks = ticks_seen();
	MARK(MARK_BEGIN);
	begin = rdtsc_ordered();
	send(plan, skb);
	end = rdtsc_ordered();
	MARK(MARK_END);
	ticks -= ticks_seen();
	if (ticks)
		MARK(MARK_INVALID);
	preempt_enable();
	if (plan->rx)
		local_bh_enable();
	return ticks ? 0 : end - begin;
}

/*
 * Return: the number of frames that the dummy netdev has sent. scripts/bench --account
 * leaves out the instructions of this function and of spin(). It cannot leave out the
 * instructions of a function that they call if the measured code also calls this function.
 */
static noinline u64 frames_sent(const struct plan *plan)
{
	u64 sent = 0;
	int cpu;

	for_each_online_cpu(cpu)
		sent += u64_stats_read(&per_cpu_ptr(plan->dev->lstats, cpu)->packets);
	return sent;
}

/*
 * Spin until the netdev has sent this number of frames. Return: the time taken by
 * interrupts meanwhile.
 */
static noinline u64 spin(const struct plan *plan, u64 frames)
{
	u64 was = rdtsc_ordered(), until = was + PATIENCE;
	u64 now, look = 0, taken = 0;
	bool waiting;

	do {
		waiting = frames_sent(plan) < frames;
		now = rdtsc_ordered();
		if (now - was < LOOK_MAX)
			look = now - was;
		else
			taken += now - was - look;
		was = now;
		/* Let ksoftirqd run; otherwise the frames would never be sent. */
		cond_resched();
	} while (waiting && now < until);
	return taken;
}

static int make_burst(struct plan *plan, struct sk_buff_head *list)
{
	struct sk_buff *skb;

	__skb_queue_head_init(list);
	while (skb_queue_len(list) < plan->burst) {
		skb = make(plan);
		if (!skb) {
			__skb_queue_purge(list);
			return -ENOMEM;
		}
		__skb_queue_tail(list, skb);
	}
	return 0;
}

static s64 send_burst(struct plan *plan)
{
	struct sk_buff_head list;
	struct sk_buff *skb;
	u64 taken, frames;

	if (make_burst(plan, &list))
		return -ENOMEM;
	frames = frames_sent(plan) + plan->burst;
	/* Begin directly after a clock tick. */
	schedule_timeout_uninterruptible(1);
	MARK(MARK_BEGIN);
	taken = rdtsc_ordered();
	while ((skb = __skb_dequeue(&list)))
		send(plan, skb);
	taken = rdtsc_ordered() - taken;
	taken += spin(plan, frames);
	MARK(MARK_END);
	return div_u64(taken, plan->burst);
}

static int ascending(const void *a, const void *b)
{
	const u32 *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static void compute(struct figures *figures, u32 *figure)
{
	u64 sum = 0;
	u32 i;

	sort(figure, figures->clean, sizeof(*figure), ascending, NULL);
	for (i = 0; i < figures->clean; i++)
		sum += figure[i];
	figures->mean = div_u64(sum * 1000, figures->clean);
	figures->p50 = figure[figures->clean / 2];
	figures->p99 = figure[figures->clean * 99ULL / 100];
}

static int collect(struct plan *plan, struct figures *figures, u32 *figure)
{
	s64 one;
	u32 i;

	for (i = 0; i < plan->count; i++) {
		one = plan->burst ? send_burst(plan) : send_one(plan);
		if (one < 0)
			return one;
		if (one)
			figure[figures->clean++] = one;
		if (signal_pending(current))
			return -EINTR;
		cond_resched();
	}
	figures->frames = plan->sent;
	if (!figures->clean)
		return -ETIME;
	compute(figures, figure);
	return 0;
}

static int measure(struct plan *plan)
{
	struct figures figures = { .series = ++series };
	u32 *figure;
	int err;

	figure = vmalloc_array(plan->count, sizeof(*figure));
	if (!figure)
		return -ENOMEM;
	MARK(MARK_SERIES);
	err = collect(plan, &figures, figure);
	MARK(MARK_SERIES_END);
	first_psn += ALIGN(div_u64(plan->sent, plan->flows) + 1, MESSAGE);
	vfree(figure);
	if (!err)
		last = figures;
	return err;
}

static int read_plan(const char *line, char *name, struct plan *plan)
{
	char way[3] = "";

	if (sscanf(line, "%15s %u %u %u %llu %u %2s", name, &plan->count,
		   &plan->flows, &plan->burst, &plan->later,
		   &plan->dscps, way) < 6)
		return -EINVAL;
	plan->forward = !strcmp(way, "fw");
	plan->rx = plan->forward || !strcmp(way, "rx");
	if (*way && !plan->rx)
		return -EINVAL;
	if (plan->rx && (plan->burst || plan->later))
		return -EINVAL;
	if (!plan->count || plan->count > COUNT_MAX || !plan->flows ||
	    plan->flows > FLOWS_MAX || plan->burst > BURST_MAX ||
	    !plan->dscps || plan->dscps > 8)
		return -ERANGE;
	return 0;
}

/* Only then frames_sent() knows where the netdev counts. */
static bool is_dummy(const struct net_device *dev)
{
	return dev->rtnl_link_ops && !strcmp(dev->rtnl_link_ops->kind, "dummy");
}

static ssize_t write(struct file *file, const char __user *user, size_t len,
		     loff_t *pos)
{
	char line[128] = "", name[IFNAMSIZ];
	struct plan plan = { };
	int err;

	if (len >= sizeof(line) || copy_from_user(line, user, len))
		return -EINVAL;
	err = read_plan(line, name, &plan);
	if (err)
		return err;
	plan.dev = dev_get_by_name(current->nsproxy->net_ns, name);
	if (!plan.dev)
		return -ENODEV;
	mutex_lock(&lock);
	if (plan.burst && !is_dummy(plan.dev))
		err = -EOPNOTSUPP;
	else
		err = plan.rx && !plan.forward ? take_from(plan.dev) : 0;
	if (!err) {
		err = measure(&plan);
		if (plan.rx && !plan.forward)
			leave(plan.dev);
	}
	mutex_unlock(&lock);
	dev_put(plan.dev);
	return err ?: len;
}

static int show(struct seq_file *seq, void *unused)
{
	mutex_lock(&lock);
	seq_printf(seq, "{\"series\":%u,\"frames\":%llu,\"clean\":%u,",
		   last.series, last.frames, last.clean);
	seq_printf(seq, "\"mean\":%llu.%03u,", last.mean / 1000,
		   (u32)(last.mean % 1000));
	seq_printf(seq, "\"p50\":%u,\"p99\":%u}\n", last.p50, last.p99);
	mutex_unlock(&lock);
	return 0;
}

static int open(struct inode *inode, struct file *file)
{
	return single_open(file, show, NULL);
}

static const struct proc_ops file_ops = {
	.proc_open = open,
	.proc_read = seq_read,
	.proc_write = write,
	.proc_lseek = seq_lseek,
	.proc_release = single_release,
};

static int __init rfbench_init(void)
{
	return proc_create("rfbench", 0600, NULL, &file_ops) ? 0 : -ENOMEM;
}
module_init(rfbench_init);

static void __exit rfbench_exit(void)
{
	remove_proc_entry("rfbench", NULL);
}
module_exit(rfbench_exit);

MODULE_DESCRIPTION("Measure the cost of sending or receiving a RoCEv2 frame");
MODULE_LICENSE("GPL");
