package io.dmodc.manager.opensm;

import io.dmodc.subnet.ChildCommand;
import io.dmodc.subnet.CommandFailedException;
import io.dmodc.subnet.OpenSmSettings;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Asks whether OpenSM answers, and which one does, as often as the fabric is looked at: one that has ended or hangs sends no table, nor does one that another has taken over from, and where nothing has to be sent nothing else tells of it before
 * the first fault. What is wrong twice in a row is told; a restart, or a handover, takes less than that. A thread of its own, as a command that gets no answer takes seconds.
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

    /** Something was wrong when it was asked last. */
    private boolean missed;

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
        String wrong = wrong();
        if (wrong.isEmpty() || missed) {
            troubles.set(Troubles.Kind.PRESENCE, wrong);
        }
        missed = !wrong.isEmpty();
    }

    private String wrong() throws InterruptedException {
        try {
            Matcher answer = ANSWER.matcher(new String(query.run(), StandardCharsets.ISO_8859_1));
            return answer.find()
                    ? wrong(Long.parseUnsignedLong(answer.group(1), 16), answer.group(2), answer.group(3))
                    : "";
        } catch (CommandFailedException e) {
            return "OpenSM does not answer, so no fault is led around: start it again (" + e.getMessage() + ")";
        }
    }

    private String wrong(long port, String priority, String state) {
        Discovery fabric = found.get();
        String who = (fabric == null ? Discovery.portText(port) : fabric.nameOfPort(port)) + ", priority " + priority;
        if (!state.equals(MASTER)) {
            return "the subnet has no master, so no fault is led around: the subnet manager of " + who
                    + " answers, and is " + state;
        }
        return fabric == null || fabric.isHere(port) || local.has(port)
                ? ""
                : "another subnet manager is the master, that of " + who
                        + ", which loads no dump of this machine: nothing that is written"
                        + " gets into the switches until OpenSM runs here and is the master again";
    }

    @Override
    public void close() {
        closed = true;
        OpenSmBridge.end(thread);
    }
}
