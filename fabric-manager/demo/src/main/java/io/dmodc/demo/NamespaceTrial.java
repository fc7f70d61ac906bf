package io.dmodc.demo;

import io.dmodc.detector.acceptance.AcceptanceRow;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Row A13 between processes: cables are pairs of network interfaces, and what fails is an interface in the kernel. Measured
 * is the time until the manager's stream of events says so: kernel, the plane's program, agent, TCP, manager, HTTP.
 *
 * <p>Runs itself again in an empty network namespace, so the machine's own network is not touched, and nothing of it stays.
 */
final class NamespaceTrial {
    private static final int CUTS_MOST = 40;
    private static final int WARM_UP_CUTS = 8;
    private static final int SETTLE_MILLIS = 150;
    private static final String WHERE = "manager and agents in processes and network namespaces of their own: ";
    private static final String DOWN = WHERE + "interface set down or cable pulled, an event of the manager says so";
    private static final String ONE_EVENT = WHERE + "both ends are one event";

    private NamespaceTrial() {}

    /** Two rows, whatever comes; where the machine does not permit it they say why. */
    static List<AcceptanceRow> run(int cuts) throws IOException {
        for (String needed : List.of("unshare --net true", "nsenter --version", "ip -Version", "python3 --version")) {
            String wrong = wrong(needed.split(" "));
            if (!wrong.isEmpty()) {
                String why = "not possible here: " + needed + ": " + wrong;
                return List.of(AcceptanceRow.notRun("A13", DOWN, why), AcceptanceRow.notRun("A13", ONE_EVENT, why));
            }
        }
        Process inside = new ProcessBuilder(
                        "unshare",
                        "--net",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        NamespaceTrial.class.getName(),
                        Integer.toString(Math.min(cuts, CUTS_MOST)))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        List<AcceptanceRow> rows = new ArrayList<>();
        try (BufferedReader lines = inside.inputReader(StandardCharsets.UTF_8)) {
            lines.lines().forEach(line -> AcceptanceRow.parse(line).ifPresent(rows::add));
        } finally {
            inside.destroy();
        }
        return rows.isEmpty() ? List.of(AcceptanceRow.judged("A13", DOWN, "it broke off", "a row", false)) : rows;
    }

    /** What a program says that does not end well; nothing if it does. */
    private static String wrong(String... command) {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getOutputStream().close();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            return process.waitFor() == 0 ? "" : said.isEmpty() ? "status " + process.exitValue() : said;
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "interrupted";
        }
    }

    /** In an empty network namespace: prints the two rows as JSON. The only argument is how many cables to cut. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        Path directory = Files.createTempDirectory("namespace-trial");
        try (NamespaceSite site = new NamespaceSite(directory)) {
            site.start();
            measure(site, Integer.parseInt(arguments[0])).forEach(row -> System.out.println(row.toJson()));
        } catch (DemoFailure e) {
            String why = String.valueOf(e.getMessage());
            List.of(DOWN, ONE_EVENT)
                    .forEach(claim ->
                            System.out.println(AcceptanceRow.judged("A13", claim, why, "measured to the end", false)
                                    .toJson()));
        } finally {
            DemoCommand.delete(directory);
        }
    }

    private static List<AcceptanceRow> measure(NamespaceSite site, int cuts)
            throws DemoFailure, IOException, InterruptedException {
        List<Long> took = new ArrayList<>();
        int further = 0;
        try (EventStream events = new EventStream(site.client(), site.api("events/stream"), "link-down")) {
            for (int cut = -WARM_UP_CUTS; cut < cuts; cut++) {
                TimeUnit.MILLISECONDS.sleep(SETTLE_MILLIS);
                int beyond = events.drop();
                further += cut > 0 ? beyond : 0;
                long nanos = cut(site, events, Math.floorMod(cut, 2 * NamespaceSite.CABLES));
                if (cut >= 0) {
                    took.add(nanos);
                }
            }
            TimeUnit.MILLISECONDS.sleep(SETTLE_MILLIS);
            further += events.drop();
        }
        return rows(took, further);
    }

    /**
     * @param took    nanoseconds of each cut
     * @param further events beyond one for each
     */
    static List<AcceptanceRow> rows(List<Long> took, int further) {
        Percentiles percentiles = new Percentiles(took);
        return List.of(
                AcceptanceRow.judged(
                        "A13",
                        DOWN,
                        percentiles.text(),
                        "p99 <= " + LinkTrial.millis(LinkTrial.LINK_EVENT_NANOS) + ", nothing is polled",
                        percentiles.at(0.99) <= LinkTrial.LINK_EVENT_NANOS),
                AcceptanceRow.judged(
                        "A13",
                        ONE_EVENT,
                        took.size() + " cuts: " + (took.size() + further) + " events",
                        "one per cut",
                        further == 0));
    }

    /** Half of the cables are set down, at this end or at that; the others are pulled. */
    private static long cut(NamespaceSite site, EventStream events, int turn) throws DemoFailure, IOException {
        int cable = turn % NamespaceSite.CABLES + 1;
        int end = turn / NamespaceSite.CABLES;
        boolean pulled = cable % 2 == 0;
        long start = System.nanoTime();
        if (pulled) {
            site.pull(cable, end);
        } else {
            site.setDown(cable, end);
        }
        long took = events.next("cable " + cable) - start;
        if (pulled) {
            site.plug(cable);
        } else {
            site.setUp(cable, end);
        }
        site.awaitWhole();
        return took;
    }
}
