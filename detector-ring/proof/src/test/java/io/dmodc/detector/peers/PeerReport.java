package io.dmodc.detector.peers;

import com.fasterxml.jackson.databind.node.TextNode;
import io.dmodc.detector.acceptance.AcceptanceRow;
import io.dmodc.detector.peers.TrialPlan.Contender;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jgroups.Version;

/**
 * The benchmark's JSON lines: the machine, then per size one line a system, the ring's ratio to each peer, and rows of the
 * acceptance.
 */
final class PeerReport {
    /** A2: of the median of FD_ALL3 + VERIFY_SUSPECT2. */
    static final double KNOWN_RATIO_MAX = 0.70;

    /** A2: of the median of Pekko; the ring is not to be slower, and no more was asked for. */
    static final double KNOWN_RATIO_MAX_PEKKO = 1.00;

    /** A3: how far from 1/η the messages of a member may be. */
    static final double TRAFFIC_TOLERANCE = 0.03;

    /** A4: cores of {@link #CPU_MEMBERS} members in one process. */
    static final double CORES_MAX = 0.10;

    static final int CPU_MEMBERS = 64;

    private PeerReport() {}

    static String machine(PeerOptions options) {
        PeerTiming timing = options.timing();
        return format(
                "{\"machine\":%s,\"processors\":%d,\"load\":%.2f,\"java\":%s,\"jgroups\":%s,\"pekko\":%s,"
                        + "\"heartbeat_ms\":%d,\"silence_ms\":%d,\"verify_ms\":%d,\"kills\":%d,\"rounds\":%d,\"calm_ms\":%d,\"seed\":%d}",
                quoted(System.getProperty("os.arch")),
                Runtime.getRuntime().availableProcessors(),
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
                quoted(System.getProperty("java.version")),
                quoted(Version.printVersion()),
                quoted(org.apache.pekko.Version.current()),
                timing.heartbeatMillis(),
                timing.silenceMillis(),
                timing.verifyMillis(),
                options.kills(),
                options.rounds(),
                options.calmMillis(),
                options.seed());
    }

    /** The peer that cannot be run here, for the table to say so. */
    static String absent() {
        return AcceptanceRow.notRun(
                        "A2", "beside ScaleCube", "its reactor-netty is made for Netty 4.1, and this project has 4.2")
                .toJson();
    }

    static List<String> lines(int members, PeerTiming timing, PeerOutcome ring, List<PeerOutcome> peers) {
        List<String> lines = new ArrayList<>();
        lines.add(figures(members, ring));
        peers.forEach(peer -> lines.add(figures(members, peer)));
        peers.forEach(peer -> ratio(members, ring, peer).forEach(lines::add));
        peers.forEach(peer -> lines.add(known(members, timing, ring, peer).toJson()));
        lines.add(traffic(members, timing, ring, peers).toJson());
        if (members == CPU_MEMBERS) {
            lines.add(cores(ring, peers).toJson());
        }
        return lines;
    }

    private static String figures(int members, PeerOutcome outcome) {
        String head =
                format("{\"system\":\"%s\",\"members\":%d,", outcome.contender().label(), members);
        TrialResult r = outcome.result();
        if (r == null) {
            return head + format("\"fell_apart\":%d,\"not_run\":%s}", outcome.failures(), quoted(outcome.reason()));
        }
        return head
                + format(
                        "\"kills\":%d,\"known_ms\":{\"min\":%.1f,\"median\":%.1f,\"max\":%.1f},\"sent_per_s\":%.1f,"
                                + "\"received_per_s\":%.1f,\"cores\":%.3f,\"false_accusations\":%d,\"fell_apart\":%d}",
                        r.knownMillis().size(),
                        r.min(),
                        r.median(),
                        r.max(),
                        r.sentPerSecond(),
                        r.receivedPerSecond(),
                        r.cores(),
                        r.falseAccusations(),
                        outcome.failures());
    }

    /** Nothing if one of them has no figures. */
    private static Stream<String> ratio(int members, PeerOutcome ring, PeerOutcome peer) {
        TrialResult ours = ring.result();
        TrialResult theirs = peer.result();
        if (ours == null || theirs == null) {
            return Stream.empty();
        }
        return Stream.of(format(
                "{\"ratio\":\"ring/%s\",\"members\":%d,\"known_median\":%.2f,\"known_max\":%.2f,"
                        + "\"received\":%.4f,\"cores\":%.3f}",
                peer.contender().label(),
                members,
                ours.median() / theirs.median(),
                ours.max() / theirs.max(),
                ours.receivedPerSecond() / theirs.receivedPerSecond(),
                ours.cores() / theirs.cores()));
    }

    private static AcceptanceRow known(int members, PeerTiming timing, PeerOutcome ring, PeerOutcome peer) {
        String claim = format(
                "%d members, silence budget %d ms, heartbeats every %d ms: silent to known by all, beside %s",
                members, timing.silenceMillis(), timing.heartbeatMillis(), beside(peer.contender(), timing));
        TrialResult ours = ring.result();
        TrialResult theirs = peer.result();
        if (ours == null || theirs == null) {
            return AcceptanceRow.notRun("A2", claim, reasons(ring, peer));
        }
        double ratio = ours.median() / theirs.median();
        String figure = format("median %.0f ms against %.0f ms: %.2f", ours.median(), theirs.median(), ratio);
        String name = peer.contender().shortName();
        if (peer.failures() > 0) {
            figure += format("; %s fell apart before, trials: %d", name, peer.failures());
        }
        double ratioMax = peer.contender() == Contender.PEKKO ? KNOWN_RATIO_MAX_PEKKO : KNOWN_RATIO_MAX;
        String bound = format("median <= %.2f of %s's", ratioMax, name);
        return AcceptanceRow.judged("A2", claim, figure, bound, ratio <= ratioMax);
    }

    private static String beside(Contender peer, PeerTiming timing) {
        return peer == Contender.PEKKO
                ? "Pekko's phi accrual and gossip"
                : format("FD_ALL3 + VERIFY_SUSPECT2 of %d ms", timing.verifyMillis());
    }

    private static AcceptanceRow traffic(int members, PeerTiming timing, PeerOutcome ring, List<PeerOutcome> peers) {
        double wanted = 1_000.0 / timing.heartbeatMillis();
        String claim = format("%d members over loopback in calm: messages per second and member", members);
        TrialResult ours = ring.result();
        if (ours == null) {
            return AcceptanceRow.notRun("A3", claim, ring.reason());
        }
        String beside = ofEach(peers, theirs -> format("received %.1f", theirs.receivedPerSecond()));
        return AcceptanceRow.judged(
                "A3",
                claim,
                format("sent %.2f, received %.2f%s", ours.sentPerSecond(), ours.receivedPerSecond(), beside),
                format("sent = received = %.2f +- 3 %%", wanted),
                isNear(ours.sentPerSecond(), wanted) && isNear(ours.receivedPerSecond(), wanted));
    }

    private static boolean isNear(double perSecond, double wanted) {
        return Math.abs(perSecond - wanted) <= TRAFFIC_TOLERANCE * wanted;
    }

    private static AcceptanceRow cores(PeerOutcome ring, List<PeerOutcome> peers) {
        String claim = format("%d members in one process in calm: processor time", CPU_MEMBERS);
        TrialResult ours = ring.result();
        if (ours == null) {
            return AcceptanceRow.notRun("A4", claim, ring.reason());
        }
        String beside = ofEach(peers, theirs -> format("%.2f", theirs.cores()));
        return AcceptanceRow.judged(
                "A4",
                claim,
                format("%.3f core%s", ours.cores(), beside),
                format("<= %.2f core", CORES_MAX),
                ours.cores() <= CORES_MAX);
    }

    /** What each peer has to set beside the ring's figure. */
    private static String ofEach(List<PeerOutcome> peers, Function<TrialResult, String> figure) {
        StringBuilder text = new StringBuilder();
        for (PeerOutcome peer : peers) {
            TrialResult theirs = peer.result();
            text.append("; ").append(peer.contender().shortName()).append(' ');
            text.append(theirs == null ? "not run" : figure.apply(theirs));
        }
        return text.toString();
    }

    private static String reasons(PeerOutcome ring, PeerOutcome peer) {
        List<String> reasons = new ArrayList<>();
        for (PeerOutcome outcome : List.of(ring, peer)) {
            if (outcome.result() == null) {
                reasons.add(outcome.contender().label() + ": " + outcome.reason() + "; trials: " + outcome.failures());
            }
        }
        return String.join("; ", reasons);
    }

    private static String format(String text, Object... values) {
        return String.format(Locale.ROOT, text, values);
    }

    /** As a JSON string; reasons may quote anything. */
    private static String quoted(String text) {
        return TextNode.valueOf(text).toString();
    }
}
