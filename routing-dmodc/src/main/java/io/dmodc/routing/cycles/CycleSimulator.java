package io.dmodc.routing.cycles;

import io.dmodc.routing.Bits64;
import io.dmodc.routing.traffic.Endpoints;
import io.dmodc.routing.traffic.TrafficPattern;
import io.dmodc.topology.FabricView;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One run of packets of one flit through input-queued switches.
 *
 * <p><b>Model.</b> Each input has a queue for each virtual channel. The packet at its head looks its way up
 * ({@link PacketRouting}), then asks the {@link Allocator} for its output in each cycle in which one of the virtual
 * channels it may take has room at the far end, as far as credits that came back tell; it takes one of these in turn.
 * Nodes send one packet a cycle and take whatever comes.
 *
 * <pre>
 *  cycle   b        b+2         b+4          b+6          b+8                  b+4r        b+4r+2
 *          born,    at the      may leave    at the next  may leave     …      leaves the  at its node
 *          sent     1st switch  it           switch       it                   last switch
 * </pre>
 *
 * So a packet that meets nobody takes 4 × switches + 2 cycles, which is what BookSim2 takes as it was set up for the
 * figures in docs/algorithms/throughput.md. A head that comes up behind another may leave 2 cycles after that one; a
 * credit is back 2 cycles after the packet left.
 *
 * <p><b>Layout.</b> Ports are dense places, queues rings in one array of longs, a packet is a long; what happens later
 * is in calendars of bounded lists; inputs that have something to do are bits. Nothing is allocated while it runs but
 * counters of latencies. Memory: {@code vcs × buffers × 8} bytes a port for the queues, and about 60 {@code × vcs}
 * beside. Time: a few dozen nanoseconds for each packet that passes a switch, and for each that asks in vain.
 *
 * <p>The same arguments give the same run, cycle by cycle. Not safe for threads; one run each.
 */
public final class CycleSimulator {
    /** From leaving an input to standing at the next. */
    static final int LINK_CYCLES = 2;

    /** From standing first in a queue at arrival to leaving. */
    static final int ROUTE_CYCLES = 2;

    /** From the last one's leaving to the next one's. */
    static final int NEXT_HEAD_CYCLES = 2;

    /** From a packet's leaving to its credit. */
    static final int CREDIT_CYCLES = 2;

    /** How often deadlocks are looked for. */
    private static final int SEARCH_CYCLES = 1024;

    private static final int DELAY_MAX = 3;

    private final SimulationSettings settings;
    private final Endpoints nodes;
    private final PacketRouting routing;
    private final double load;
    private final long seed;
    private final QueueIndex index;
    private final Wiring wiring;
    private final InputQueues queues;
    private final RoutedHeads heads;
    private final OutputCredits credits;
    private final Allocator allocator;
    private final DeadlockSearch search;
    private final NodeTraffic traffic;
    private final DeliveryLog log;
    private final Flights flights;
    /** Outputs and virtual channels that get a credit. */
    private final IntCalendar creditsDue;
    /** Queues whose head looks its way up. */
    private final IntCalendar headsDue;

    private int now;
    private long moves;
    private long dropped;

    /**
     * Prepares a run.
     *
     * @param nodes those of the view, which {@code pattern} is of
     * @param load probability that a node makes a packet in a cycle, in (0, 1]
     * @throws IllegalArgumentException in one line, if the load is outside its range, the pattern is of another number of
     *     nodes, or uniform with nobody to send to
     */
    public CycleSimulator(
            FabricView view,
            Endpoints nodes,
            TrafficPattern pattern,
            PacketRouting routing,
            SimulationSettings settings,
            double load,
            long seed) {
        if (!(load > 0 && load <= 1)) {
            throw new IllegalArgumentException("load " + load + "; expected more than 0 and at most 1");
        }
        if (pattern.nodes() != nodes.count() || (pattern.isUniform() && nodes.count() < 2)) {
            throw new IllegalArgumentException("pattern '" + pattern.name() + "' of " + pattern.nodes()
                    + " nodes; expected " + Math.max(2, nodes.count()));
        }
        this.settings = settings;
        this.nodes = nodes;
        this.routing = routing;
        this.load = load;
        this.seed = seed;
        index = new QueueIndex(settings.vcs());
        wiring = new Wiring(view, nodes);
        queues = new InputQueues(index.count(wiring.switchPlaces), settings.buffers());
        heads = new RoutedHeads(wiring.switchPlaces, index);
        credits = new OutputCredits(wiring, index, settings.buffers());
        allocator = new Allocator(wiring, heads, credits, index);
        search = new DeadlockSearch(wiring, queues, heads, index);
        traffic = new NodeTraffic(nodes, pattern, load, seed);
        log = new DeliveryLog(view.nodeCount());
        flights = new Flights(wiring.to.length);
        creditsDue = new IntCalendar(DELAY_MAX, queues.count());
        headsDue = new IntCalendar(DELAY_MAX, queues.count());
    }

    /**
     * Runs to the end, or until packets stand still for ever.
     *
     * @param cyclesDone hears now and then how many cycles were simulated since it last heard; ends the run by throwing
     */
    public RunResult run(IntConsumer cyclesDone) {
        Deadlock deadlock = null;
        while (now < settings.cycles() && deadlock == null) {
            step(true);
            if (now % SEARCH_CYCLES == 0 || now == settings.cycles()) {
                deadlock = deadlock();
                cyclesDone.accept((now - 1) % SEARCH_CYCLES + 1);
            }
        }
        return result(deadlock);
    }

    /** One cycle, in which nodes send or only take. */
    void step(boolean send) {
        arrive();
        restoreCredits();
        findWays();
        leave();
        if (send) {
            inject();
        }
        now++;
    }

    /** What stands still for ever at present. */
    @Nullable
    Deadlock deadlock() {
        return search.find(now);
    }

    private void arrive() {
        int count = flights.count(now);
        for (int i = 0; i < count; i++) {
            long packet = flights.packet(now, i);
            int queue = flights.queue(now, i);
            if (queue < 0) {
                deliver(packet);
            } else {
                if (queues.push(queue, packet) == 1) {
                    headsDue.add(now + ROUTE_CYCLES, queue);
                }
            }
        }
        flights.clear(now);
    }

    private void deliver(long packet) {
        if (now >= settings.warmUp()) {
            log.add(Packet.node(packet), now - Packet.birth(packet));
        }
    }

    private void restoreCredits() {
        int count = creditsDue.count(now);
        for (int i = 0; i < count; i++) {
            credits.restore(creditsDue.get(now, i));
        }
        creditsDue.clear(now);
    }

    private void findWays() {
        int count = headsDue.count(now);
        for (int i = 0; i < count; i++) {
            findWay(headsDue.get(now, i));
        }
        headsDue.clear(now);
    }

    private void findWay(int queue) {
        int input = index.place(queue);
        int vc = index.vc(queue);
        int s = wiring.switchOf[input];
        long packet = queues.head(queue);
        int random = (int) Bits64.mix(packet ^ Bits64.mix(seed + ((long) input * settings.vcs() + vc) * Bits64.STEP));
        int answer = routing.route(s, wiring.port(input), vc, Packet.node(packet), random);
        int output = wiring.base[s] + (answer >>> PacketRouting.VC_MAX) - 1;
        if (leadsOn(answer, s, output, packet)) {
            heads.add(queue, output, answer & PacketRouting.allVcs(settings.vcs()));
        } else {
            dropped++;
            take(queue);
        }
    }

    /** Not to dead ports, to another host, nor for ever round. */
    private boolean leadsOn(int answer, int s, int output, long packet) {
        if (answer == PacketRouting.DROP || output >= wiring.base[s + 1] || Packet.hops(packet) == Packet.HOPS_MAX) {
            return false;
        }
        return wiring.to[output] >= 0 || wiring.toNode[output] == Packet.node(packet);
    }

    private void leave() {
        int count = allocator.allocate();
        for (int i = 0; i < count; i++) {
            int output = allocator.output(i);
            int input = allocator.input(output);
            int queue = index.of(input, allocator.vc(input));
            int onVcs = RoutedHeads.vcs(heads.way(queue));
            allocator.served(output);
            heads.remove(queue);
            send(output, onVcs, take(queue));
            moves++;
        }
    }

    private void send(int output, int onVcs, long packet) {
        int input = wiring.to[output];
        if (input < 0) {
            flights.add(now + LINK_CYCLES, -1, packet);
            return;
        }
        int vc = credits.takeNext(output, onVcs & credits.open(output));
        credits.spend(output, vc);
        flights.add(now + LINK_CYCLES, index.of(input, vc), Packet.afterHop(packet));
    }

    /** Takes the head away; its place is free again. */
    private long take(int queue) {
        long packet = queues.pop(queue);
        creditsDue.add(now + CREDIT_CYCLES, index.of(wiring.from[index.place(queue)], index.vc(queue)));
        if (queues.size(queue) > 0) {
            headsDue.add(now + NEXT_HEAD_CYCLES, queue);
        }
        return packet;
    }

    private void inject() {
        int allowed = routing.injectionVcs();
        for (int i = 0; i < traffic.count(); i++) {
            int output = wiring.switchPlaces + i;
            int birth = traffic.birth(i);
            if (birth <= now && (credits.open(output) & allowed) != 0) {
                int vc = credits.takeNext(output, credits.open(output) & allowed);
                credits.spend(output, vc);
                int queue = index.of(wiring.to[output], vc);
                flights.add(now + LINK_CYCLES, queue, Packet.of(birth, traffic.destination(i)));
                traffic.next(i);
            }
        }
    }

    private RunResult result(@Nullable Deadlock deadlock) {
        int measured = Math.max(1, now - settings.warmUp());
        int min = Integer.MAX_VALUE;
        for (int i = 0; i < nodes.count(); i++) {
            min = Math.min(min, log.delivered(nodes.node(i)));
        }
        return new RunResult(
                load,
                seed,
                now,
                (double) log.count() / measured / Math.max(1, nodes.count()),
                nodes.count() == 0 ? 0 : (double) min / measured,
                log.meanLatency(),
                log.latency(500),
                log.latency(990),
                log.count(),
                dropped,
                moves,
                deadlock);
    }

    /** Packets that wait in a queue of an input. */
    int waiting(int s, int port, int vc) {
        return queues.size(index.of(wiring.base[s] + port - 1, vc));
    }

    /** Packets that passed a switch so far. */
    long moves() {
        return moves;
    }

    /** Packets that were dropped so far. */
    long dropped() {
        return dropped;
    }
}
