package io.dmodc.detector.net;

import io.dmodc.detector.Membership;
import io.dmodc.detector.RingRules;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Some members of a ring, all on one event loop, in a process that a test can stop. Speaks lines: writes its members'
 * ports; reads the ports of all members, in slot order, and joins; then answers each line with a {@link Report} and ends
 * with its input.
 */
final class RingProcess {
    private static final long GUID_FIRST = 0xA000;

    private RingProcess() {}

    /** Arguments: key in hex, first slot, members, η and δ in milliseconds. */
    public static void main(String[] args) throws IOException {
        RingKey key = RingKey.of(HexFormat.of().parseHex(args[0]));
        int first = Integer.parseInt(args[1]);
        int count = Integer.parseInt(args[2]);
        RingLoop loop = RingLoop.start("ring");
        List<RingEndpoint> members = bind(loop, key, first, count);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));

        System.out.println(ports(members));
        join(members, first, in.readLine(), rules(Long.parseLong(args[3]), Long.parseLong(args[4])));
        while (in.readLine() != null) {
            System.out.println(Report.of(members));
        }
    }

    static RingRules rules(long etaMillis, long deltaMillis) {
        return RingRules.published(
                TimeUnit.MILLISECONDS.toNanos(etaMillis), TimeUnit.MILLISECONDS.toNanos(deltaMillis));
    }

    static List<RingEndpoint> bind(RingLoop loop, RingKey key, int first, int count) {
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        return IntStream.range(first, first + count)
                .mapToObj(slot -> RingEndpoint.bind(loop, any, GUID_FIRST + slot, 1, key, new RingJournal()))
                .toList();
    }

    static String ports(List<RingEndpoint> members) {
        return members.stream()
                .map(member -> Integer.toString(member.localAddress().getPort()))
                .collect(Collectors.joining(" "));
    }

    static void join(List<RingEndpoint> members, int first, String allPorts, RingRules rules) {
        List<InetSocketAddress> addresses = Stream.of(allPorts.split(" "))
                .map(port -> new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(port)))
                .toList();
        int[] incarnations = new int[addresses.size()];
        Arrays.fill(incarnations, 1);
        long[] guids =
                LongStream.range(GUID_FIRST, GUID_FIRST + addresses.size()).toArray();
        Membership membership = new Membership(1, 1, guids, incarnations);
        for (int i = 0; i < members.size(); i++) {
            members.get(i).install(membership, first + i, addresses, rules);
        }
    }

    /** Sums over the members of one process. */
    record Report(long received, long suspicions, long refutations, long lateWakeUps, long dead) {
        static Report of(List<RingEndpoint> members) {
            return new Report(
                    sum(members, m -> m.counters().received()),
                    sum(members, m -> m.counters().suspicions()),
                    sum(members, m -> m.counters().refutations()),
                    sum(members, m -> m.counters().lateWakeUps()),
                    sum(members, m -> m.vitals().deadCount()));
        }

        private static long sum(List<RingEndpoint> members, ToLongFunction<RingEndpoint> value) {
            return members.stream().mapToLong(value).sum();
        }

        static Report parse(String line) {
            long[] values = Stream.of(line.replaceAll("[^0-9]+", " ").strip().split(" "))
                    .mapToLong(Long::parseLong)
                    .toArray();
            return new Report(values[0], values[1], values[2], values[3], values[4]);
        }
    }
}
