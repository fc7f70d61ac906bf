package io.dmodc.routing.cycles;

import io.dmodc.routing.Bits64;
import io.dmodc.routing.traffic.Endpoints;
import io.dmodc.topology.FabricView;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The model of {@link CycleSimulator} word by word: switches, queues and packets are objects, and everything is looked
 * at in every cycle. What nodes want to send and which bits a packet is given are drawn as the fast one draws them.
 */
final class LiteralSimulator {
    /** A packet of one flit. */
    private record Flit(int birth, int node, int hops) {
        private long word() {
            return (long) birth << 32 | (long) hops << 24 | node;
        }
    }

    /** Something that comes to its place at a time. */
    private record Coming(int at, Runnable comes) {}

    /** A queue of one virtual channel of an input. */
    private static final class Queue {
        private final Deque<Flit> flits = new ArrayDeque<>();
        private int looksAt;
        private int output;
        private int outputVcs;
        private boolean routed;
    }

    private final class Input {
        private final List<Queue> queues = new ArrayList<>();
        private @Nullable Output feeder;
        private int nextVc;

        private Input(int vcs) {
            for (int vc = 0; vc < vcs; vc++) {
                queues.add(new Queue());
            }
        }

        private void take(int vc, Flit flit) {
            Queue queue = queues.get(vc);
            queue.flits.add(flit);
            if (queue.flits.size() == 1) {
                queue.looksAt = now + CycleSimulator.ROUTE_CYCLES;
            }
        }

        private Flit give(int vc) {
            Queue queue = queues.get(vc);
            queue.routed = false;
            queue.looksAt = now + CycleSimulator.NEXT_HEAD_CYCLES;
            Output upstream = Objects.requireNonNull(feeder);
            coming.add(new Coming(now + CycleSimulator.CREDIT_CYCLES, () -> upstream.credits[vc]++));
            return queue.flits.remove();
        }
    }

    /** Of a switch's port or of a node. */
    private final class Output {
        private final int[] credits;
        private @Nullable Input far;
        private int host = -1;
        private int nextVc;
        private int nextInput = 1;

        private Output(int vcs) {
            credits = new int[vcs];
            Arrays.fill(credits, buffers);
        }

        /** The first of some channels with room, counted from the one in turn; −1 if there is none. */
        private int vcFor(int allowed) {
            for (int i = 0; i < credits.length; i++) {
                int vc = (nextVc + i) % credits.length;
                if ((allowed & 1 << vc) != 0 && (host >= 0 || credits[vc] > 0)) {
                    return vc;
                }
            }
            return -1;
        }

        private void send(Flit flit, int allowed) {
            if (host >= 0) {
                coming.add(new Coming(now + CycleSimulator.LINK_CYCLES, () -> arrive(flit)));
                return;
            }
            int vc = vcFor(allowed);
            nextVc = (vc + 1) % credits.length;
            credits[vc]--;
            Input next = Objects.requireNonNull(far);
            coming.add(new Coming(now + CycleSimulator.LINK_CYCLES, () -> next.take(vc, flit)));
        }
    }

    private final FabricView view;
    private final Endpoints nodes;
    private final PacketRouting routing;
    private final SimulationSettings settings;
    private final long seed;
    private final int buffers;
    private final NodeTraffic traffic;
    private final Map<Integer, Map<Integer, Input>> inputs = new TreeMap<>();
    private final Map<Integer, Map<Integer, Output>> outputs = new TreeMap<>();
    private final List<Output> hosts = new ArrayList<>();
    private List<Coming> coming = new ArrayList<>();
    private int now;

    /** Latencies of packets that arrived while it was measured. */
    final List<Integer> latencies = new ArrayList<>();

    final Map<Integer, Integer> arrived = new HashMap<>();
    long moves;
    long dropped;

    LiteralSimulator(
            FabricView view,
            Endpoints nodes,
            PacketRouting routing,
            SimulationSettings settings,
            NodeTraffic traffic,
            long seed) {
        this.view = view;
        this.nodes = nodes;
        this.routing = routing;
        this.settings = settings;
        this.traffic = traffic;
        this.seed = seed;
        buffers = settings.buffers();
        for (int s = 0; s < view.switchCount(); s++) {
            Map<Integer, Input> in = new TreeMap<>();
            Map<Integer, Output> out = new TreeMap<>();
            for (int port = 1; port <= view.portCount(s); port++) {
                in.put(port, new Input(settings.vcs()));
                out.put(port, new Output(settings.vcs()));
            }
            inputs.put(s, in);
            outputs.put(s, out);
        }
        for (int s = 0; s < view.switchCount(); s++) {
            for (int port = 1; port <= view.portCount(s); port++) {
                if (view.peerSwitch(s, port) >= 0) {
                    connect(output(s, port), view.peerSwitch(s, port), view.peerPort(s, port));
                }
            }
        }
        for (int i = 0; i < nodes.count(); i++) {
            Output host = new Output(settings.vcs());
            hosts.add(host);
            connect(host, nodes.home(i), view.nodePort(nodes.node(i)));
            output(nodes.home(i), view.nodePort(nodes.node(i))).host = nodes.node(i);
        }
    }

    private void connect(Output from, int s, int port) {
        from.far = input(s, port);
        input(s, port).feeder = from;
    }

    private Input input(int s, int port) {
        return Objects.requireNonNull(
                Objects.requireNonNull(inputs.get(s)).get(port), () -> "input " + port + " of switch " + s);
    }

    private Map<Integer, Output> outputs(int s) {
        return Objects.requireNonNull(outputs.get(s));
    }

    private Output output(int s, int port) {
        return Objects.requireNonNull(outputs(s).get(port), () -> "output " + port + " of switch " + s);
    }

    void step(boolean send) {
        List<Coming> due = coming.stream().filter(c -> c.at == now).toList();
        coming = new ArrayList<>(coming.stream().filter(c -> c.at != now).toList());
        due.forEach(c -> c.comes.run());
        inputs.forEach((s, ports) -> ports.forEach((port, input) -> look(s, port, input)));
        inputs.keySet().forEach(this::serve);
        for (int i = 0; send && i < nodes.count(); i++) {
            inject(i);
        }
        now++;
    }

    private void arrive(Flit flit) {
        if (now >= settings.warmUp()) {
            latencies.add(now - flit.birth);
            arrived.merge(flit.node, 1, Integer::sum);
        }
    }

    private void look(int s, int port, Input input) {
        for (int vc = 0; vc < input.queues.size(); vc++) {
            Queue queue = input.queues.get(vc);
            if (queue.flits.isEmpty() || queue.routed || now < queue.looksAt) {
                continue;
            }
            Flit flit = queue.flits.getFirst();
            int before = 0;
            for (int lower = 0; lower < s; lower++) {
                before += view.portCount(lower);
            }
            long queueNumber = (long) (before + port - 1) * settings.vcs() + vc;
            long own = flit.word() ^ Bits64.mix(seed + queueNumber * Bits64.STEP);
            int answer = routing.route(s, port, vc, flit.node, (int) Bits64.mix(own));
            int out = answer / 65536;
            Output output = outputs(s).get(out);
            boolean fits = output != null && (output.far != null || output.host == flit.node) && flit.hops < 255;
            if (fits) {
                queue.routed = true;
                queue.output = out;
                queue.outputVcs = answer % 65536;
            } else {
                input.give(vc);
                dropped++;
            }
        }
    }

    private void serve(int s) {
        Map<Integer, Integer> askedVc = new HashMap<>();
        Map<Integer, List<Integer>> askers = new TreeMap<>();
        Objects.requireNonNull(inputs.get(s)).forEach((port, input) -> {
            int vc = ask(s, input);
            if (vc >= 0) {
                askedVc.put(port, vc);
                askers.computeIfAbsent(input.queues.get(vc).output, o -> new ArrayList<>())
                        .add(port);
            }
        });
        askers.forEach((out, ports) -> {
            Output output = output(s, out);
            int winner = ports.stream()
                    .filter(port -> port >= output.nextInput)
                    .findFirst()
                    .orElse(ports.get(0));
            int vc = Objects.requireNonNull(askedVc.get(winner));
            Input input = input(s, winner);
            output.nextInput = winner % view.portCount(s) + 1;
            input.nextVc = (vc + 1) % settings.vcs();
            int allowed = input.queues.get(vc).outputVcs;
            Flit flit = input.give(vc);
            output.send(new Flit(flit.birth, flit.node, output.host >= 0 ? flit.hops : flit.hops + 1), allowed);
            moves++;
        });
    }

    private int ask(int s, Input input) {
        for (int i = 0; i < settings.vcs(); i++) {
            int vc = (input.nextVc + i) % settings.vcs();
            Queue queue = input.queues.get(vc);
            if (queue.routed && output(s, queue.output).vcFor(queue.outputVcs) >= 0) {
                return vc;
            }
        }
        return -1;
    }

    private void inject(int i) {
        if (traffic.birth(i) <= now && hosts.get(i).vcFor(routing.injectionVcs()) >= 0) {
            hosts.get(i).send(new Flit(traffic.birth(i), traffic.destination(i), 0), routing.injectionVcs());
            traffic.next(i);
        }
    }

    int waiting(int s, int port, int vc) {
        return input(s, port).queues.get(vc).flits.size();
    }

    /** Packets in queues and on links. */
    long inside() {
        return inputs.values().stream()
                .flatMap(ports -> ports.values().stream())
                .flatMap(input -> input.queues.stream())
                .mapToLong(queue -> queue.flits.size())
                .sum();
    }
}
