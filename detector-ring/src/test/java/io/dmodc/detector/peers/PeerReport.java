package io.dmodc.detector.peers;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jgroups.Version;

/** The benchmark's JSON lines: the machine, then per size one line a system, their ratio, and rows of the acceptance. */
final class PeerReport {
    /** A2: of the median of FD_ALL3 + VERIFY_SUSPECT2. */
    static final double KNOWN_RATIO_MAX = 0.70;

    /** A3: how far from 1/η the messages of a member may be. */
    static final double TRAFFIC_TOLERANCE = 0.03;

    /** A4: cores of {@link #CPU_MEMBERS} members in one process. */
    static final double CORES_MAX = 0.10;

    static final int CPU_MEMBERS = 64;

    private PeerReport() {}

    static String machine(PeerOptions options) {
        Pace pace = options.pace();
        return format(
                "{\"machine\":\"%s, %d processors, load %.2f\",\"java\":\"%s\",\"jgroups\":\"%s\",\"heartbeat_ms\":%d,"
                        + "\"silence_ms\":%d,\"verify_ms\":%d,\"kills\":%d,\"rounds\":%d,\"calm_ms\":%d,\"seed\":%d}",
                escape(System.getProperty("os.arch")),
                Runtime.getRuntime().availableProcessors(),
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
                escape(System.getProperty("java.version")),
                escape(Version.printVersion()),
                pace.heartbeatMillis(),
                pace.silenceMillis(),
                pace.verifyMillis(),
                options.kills(),
                options.rounds(),
                options.calmMillis(),
                options.seed());
    }

    static List<String> lines(int members, Pace pace, Outcome ring, Outcome peer) {
        List<String> lines = new ArrayList<>();
        lines.add(figures(members, ring));
        lines.add(figures(members, peer));
        TrialResult ours = ring.result();
        TrialResult theirs = peer.result();
        if (ours != null && theirs != null) {
            lines.add(ratio(members, ours, theirs));
        }
        lines.add(known(members, pace, ring, peer));
        lines.add(traffic(members, pace, ring, peer));
        if (members == CPU_MEMBERS) {
            lines.add(cores(ring, peer));
        }
        return lines;
    }

    private static String figures(int members, Outcome outcome) {
        String head =
                format("{\"system\":\"%s\",\"members\":%d,", outcome.contender().label(), members);
        TrialResult r = outcome.result();
        if (r == null) {
            return head + "\"not_run\":\"" + escape(outcome.reason()) + "\"}";
        }
        return head
                + format(
                        "\"kills\":%d,\"known_ms\":{\"min\":%.1f,\"median\":%.1f,\"max\":%.1f},\"sent_per_s\":%.1f,"
                                + "\"received_per_s\":%.1f,\"cores\":%.3f,\"false_accusations\":%d}",
                        r.knownMillis().size(),
                        r.min(),
                        r.median(),
                        r.max(),
                        r.sentPerSecond(),
                        r.receivedPerSecond(),
                        r.cores(),
                        r.falseAccusations());
    }

    private static String ratio(int members, TrialResult ours, TrialResult theirs) {
        return format(
                "{\"ratio\":\"ring/FD_ALL3+VERIFY_SUSPECT2\",\"members\":%d,\"known_median\":%.2f,\"known_max\":%.2f,"
                        + "\"received\":%.4f,\"cores\":%.3f}",
                members,
                ours.median() / theirs.median(),
                ours.max() / theirs.max(),
                ours.receivedPerSecond() / theirs.receivedPerSecond(),
                ours.cores() / theirs.cores());
    }

    private static String known(int members, Pace pace, Outcome ring, Outcome peer) {
        String claim = format(
                "%d members, silence budget %d ms, heartbeats every %d ms: silent to known by all, beside FD_ALL3 +"
                        + " VERIFY_SUSPECT2 of %d ms",
                members, pace.silenceMillis(), pace.heartbeatMillis(), pace.verifyMillis());
        String bound = format("median <= %.2f of FD_ALL3's", KNOWN_RATIO_MAX);
        TrialResult ours = ring.result();
        TrialResult theirs = peer.result();
        if (ours == null || theirs == null) {
            return row("A2", claim, reasons(ring, peer), bound, "not run");
        }
        double ratio = ours.median() / theirs.median();
        String figure = format("median %.0f ms against %.0f ms: %.2f", ours.median(), theirs.median(), ratio);
        return row("A2", claim, figure, bound, verdict(ratio <= KNOWN_RATIO_MAX));
    }

    private static String traffic(int members, Pace pace, Outcome ring, Outcome peer) {
        double wanted = 1_000.0 / pace.heartbeatMillis();
        String claim = format("%d members over loopback in calm: messages per second and member", members);
        String bound = format("sent = received = %.1f +- 3 %%", wanted);
        TrialResult ours = ring.result();
        if (ours == null) {
            return row("A3", claim, ring.reason(), bound, "not run");
        }
        TrialResult theirs = peer.result();
        String beside = theirs == null ? "not run" : format("received %.1f", theirs.receivedPerSecond());
        String figure =
                format("sent %.2f, received %.2f; FD_ALL3 %s", ours.sentPerSecond(), ours.receivedPerSecond(), beside);
        return row(
                "A3",
                claim,
                figure,
                bound,
                verdict(isNear(ours.sentPerSecond(), wanted) && isNear(ours.receivedPerSecond(), wanted)));
    }

    private static boolean isNear(double perSecond, double wanted) {
        return Math.abs(perSecond - wanted) <= TRAFFIC_TOLERANCE * wanted;
    }

    private static String cores(Outcome ring, Outcome peer) {
        String claim = format("%d members in one process in calm: processor time", CPU_MEMBERS);
        String bound = format("<= %.2f core", CORES_MAX);
        TrialResult ours = ring.result();
        if (ours == null) {
            return row("A4", claim, ring.reason(), bound, "not run");
        }
        TrialResult theirs = peer.result();
        String beside = theirs == null ? "not run" : format("%.2f", theirs.cores());
        return row(
                "A4",
                claim,
                format("%.3f core; FD_ALL3 %s", ours.cores(), beside),
                bound,
                verdict(ours.cores() <= CORES_MAX));
    }

    private static String reasons(Outcome ring, Outcome peer) {
        List<String> reasons = new ArrayList<>();
        for (Outcome outcome : List.of(ring, peer)) {
            if (outcome.result() == null) {
                reasons.add(outcome.contender().label() + ": " + outcome.reason());
            }
        }
        return String.join("; ", reasons);
    }

    private static String verdict(boolean holds) {
        return holds ? "pass" : "fail";
    }

    private static String row(String row, String claim, String figure, String bound, String verdict) {
        return format(
                "{\"row\":\"%s\",\"claim\":\"%s\",\"figure\":\"%s\",\"bound\":\"%s\",\"verdict\":\"%s\"}",
                row, escape(claim), escape(figure), escape(bound), verdict);
    }

    private static String format(String text, Object... values) {
        return String.format(Locale.ROOT, text, values);
    }

    /** Of what JSON forbids in a string; reasons may quote anything. */
    private static String escape(String text) {
        StringBuilder escaped = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                escaped.append('\\').append(c);
            } else if (c < ' ') {
                escaped.append(format("\\u%04x", (int) c));
            } else {
                escaped.append(c);
            }
        }
        return escaped.toString();
    }
}
