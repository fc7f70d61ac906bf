package io.dmodc.detector.peers;

import java.util.List;
import java.util.stream.Stream;

/**
 * What {@link PeerBenchmark} is asked to do.
 *
 * @param sizes  numbers of members, one comparison each
 * @param kills  of each system at each size, over all rounds
 * @param rounds times the systems take turns at each size
 * @param seed   of victims and moments
 * @param calmMillis how long messages are counted, made longer to whole heartbeat periods
 * @param timing   for up to 64 members; larger groups go slower ({@link PeerTiming#forMembers})
 */
record PeerOptions(List<Integer> sizes, int kills, int rounds, int calmMillis, long seed, PeerTiming timing) {
    private static final int ROUNDS_MAX = 100;

    PeerOptions {
        sizes = List.copyOf(sizes);
        if (rounds < 1 || rounds > Math.min(kills, ROUNDS_MAX)) {
            throw new IllegalArgumentException(
                    "peers: rounds " + rounds + ", expected 1.." + ROUNDS_MAX + " and at most the kills, " + kills);
        }
        for (int size : sizes) {
            new TrialPlan(TrialPlan.Contender.RING, size, kills, calmMillis, seed, timing.forMembers(size));
        }
    }

    /**
     * Reads {@code --name=value} arguments.
     *
     * @throws IllegalArgumentException in one line naming the argument, and what was expected
     */
    static PeerOptions parse(String... args) {
        PeerOptions options = new PeerOptions(List.of(16, 64, 128), 20, 2, 10_000, 1, PeerTiming.STANDARD);
        for (String arg : args) {
            options = options.with(arg);
        }
        return options;
    }

    private PeerOptions with(String arg) {
        int equals = arg.indexOf('=');
        String name = equals < 0 ? arg : arg.substring(0, equals);
        String value = equals < 0 ? "" : arg.substring(equals + 1);
        try {
            return with(name, value, arg);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("peers: " + arg + ": expected a number", e);
        }
    }

    private PeerOptions with(String name, String value, String arg) {
        return switch (name) {
            case "--sizes" -> new PeerOptions(sizes(value), kills, rounds, calmMillis, seed, timing);
            case "--kills" ->
                new PeerOptions(
                        sizes,
                        Integer.parseInt(value),
                        Math.min(rounds, Integer.parseInt(value)),
                        calmMillis,
                        seed,
                        timing);
            case "--rounds" -> new PeerOptions(sizes, kills, Integer.parseInt(value), calmMillis, seed, timing);
            case "--calm-ms" -> new PeerOptions(sizes, kills, rounds, Integer.parseInt(value), seed, timing);
            case "--seed" -> new PeerOptions(sizes, kills, rounds, calmMillis, Long.parseLong(value), timing);
            case "--pace" -> new PeerOptions(sizes, kills, rounds, calmMillis, seed, timing(value));
            default ->
                throw new IllegalArgumentException("peers: " + arg
                        + ": unknown, expected --sizes=N,N --kills=K --rounds=R --calm-ms=MS --seed=S"
                        + " --pace=HEARTBEAT,SILENCE,VERIFY (ms)");
        };
    }

    private static PeerTiming timing(String value) {
        List<Integer> millis = sizes(value);
        if (millis.size() != 3) {
            throw new IllegalArgumentException(
                    "peers: --pace=" + value + ": " + millis.size() + " numbers, expected 3");
        }
        return new PeerTiming(millis.get(0), millis.get(1), millis.get(2));
    }

    private static List<Integer> sizes(String value) {
        return Stream.of(value.split(",", -1)).map(Integer::valueOf).toList();
    }

    /** The plan of one round; the kills are spread over the rounds, and each round has its own seed. */
    TrialPlan plan(TrialPlan.Contender contender, int size, int round) {
        int share = kills / rounds + (round < kills % rounds ? 1 : 0);
        PeerTiming timingThere = timing.forMembers(size);
        int periods = (calmMillis + timingThere.heartbeatMillis() - 1) / timingThere.heartbeatMillis();
        int wholePeriods = periods * timingThere.heartbeatMillis();
        return new TrialPlan(contender, size, share, wholePeriods, seed + round, timingThere);
    }
}
