package io.dmodc.manager.opensm;

import io.dmodc.manager.opensm.Troubles.Kind;
import io.dmodc.subnet.ChildCommand;
import io.dmodc.subnet.CommandFailedException;
import io.dmodc.subnet.OpenSmSettings;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Asks whether OpenSM answers, and which one does, as often as the fabric is looked at: one that has ended or hangs sends no table, nor does one that another has taken over from, and where nothing has to be sent nothing else tells of it before
 * the first fault. What is wrong twice in a row is told; a restart, or a handover, takes less than that. Where there is no program to ask by, that is told instead. A thread of its own, as a command that gets no answer takes seconds.
 */
final class OpenSmPresence implements AutoCloseable {
    /** {@code sminfo: sm lid 1 sm guid 0x2c0000000000001, activity count 228 priority 3 state 3 SMINFO_MASTER}. */
    private static final Pattern ANSWER =
            Pattern.compile("sm guid 0x([0-9a-fA-F]{1,16}), .*priority (\\d{1,2}) state \\d+ SMINFO_(\\w+)");

    private static final String MASTER = "MASTER";

    private final ChildCommand query;
    private final long intervalNanos;
    private final Supplier<@Nullable Discovery> found;
    private final LocalPorts local;
    private final Troubles troubles;
    private final Thread thread = new Thread(this::run, "opensm-presence");
    private volatile boolean closed;

    /** What was wrong when it was asked last; null for nothing. */
    private @Nullable Kind missed;

    /** Who was the master on another machine when one answered last; empty for none. */
    private String foreign = "";

    /**
     * @param command fails when it does not answer; which one answers is judged if it prints what {@code sminfo} does
     * @param found the fabric as it is believed to be; null before it was looked at
     */
    OpenSmPresence(
            String command,
            OpenSmSettings settings,
            Supplier<@Nullable Discovery> found,
            LocalPorts local,
            Troubles troubles) {
        query = new ChildCommand(command, settings.commandTimeout());
        intervalNanos = settings.interval().toNanos();
        this.found = found;
        this.local = local;
        this.troubles = troubles;
    }

    void start() {
        thread.start();
    }

    private void run() {
        try {
            while (!closed) {
                ask();
                TimeUnit.NANOSECONDS.sleep(intervalNanos);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // Closed.
        }
    }

    void ask() throws InterruptedException {
        Kind kind = Kind.PRESENCE;
        String wrong;
        try {
            Matcher answer = ANSWER.matcher(new String(query.run(), StandardCharsets.ISO_8859_1));
            foreign = "";
            wrong = answer.find()
                    ? wrong(Long.parseUnsignedLong(answer.group(1), 16), answer.group(2), answer.group(3))
                    : "";
        } catch (CommandFailedException e) {
            kind = e.isMissing() ? Kind.QUERY : Kind.PRESENCE;
            wrong = (e.isMissing() ? "sm-query cannot be run, so nobody sees whether OpenSM answers" : noAnswer())
                    + " (" + e.getMessage() + ")";
        }
        judge(wrong.isEmpty() ? null : kind, wrong);
    }

    /** By its tables packets may not get there: they are not those that are written here. */
    private String noAnswer() {
        return foreign.isEmpty()
                ? "OpenSM does not answer, so no fault is led around: start it again"
                : "no subnet manager answers, and none that loads a dump of this machine did before: that of " + foreign
                        + ", which was the master, has ended or hangs, or its tables do not lead to it";
    }

    private void judge(@Nullable Kind now, String wrong) {
        for (Kind each : List.of(Kind.PRESENCE, Kind.QUERY)) {
            if (each != now) {
                troubles.clear(each);
            } else if (each == missed) {
                troubles.set(each, wrong);
            }
        }
        missed = now;
    }

    private String wrong(long port, String priority, String state) {
        Discovery fabric = found.get();
        String who = (fabric == null ? Discovery.portText(port) : fabric.nameOfPort(port)) + ", priority " + priority;
        if (!state.equals(MASTER)) {
            return "the subnet has no master, so no fault is led around: the subnet manager of " + who
                    + " answers, and is " + state;
        }
        if (fabric == null || fabric.isHere(port) || local.has(port)) {
            return "";
        }
        foreign = who;
        return "another subnet manager is the master, that of " + who
                + ", which loads no dump of this machine: nothing that is written"
                + " gets into the switches until OpenSM runs here and is the master again";
    }

    @Override
    public void close() {
        closed = true;
        OpenSmBridge.end(thread);
    }
}
