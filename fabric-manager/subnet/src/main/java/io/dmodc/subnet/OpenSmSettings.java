package io.dmodc.subnet;

import io.dmodc.settings.Range;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How switches are worked with whose tables OpenSM loads from a file. Commands are words between blanks, run without a
 * shell.
 *
 * @param dump the file OpenSM is told with {@code -U}; best on a file system that is empty after a boot
 * @param discovery command that prints what {@code ibnetdiscover} does; not looked at with a {@code discoveryFile}
 * @param discoveryFile file of such text, replaced by somebody else whenever the fabric changes, or null
 * @param switchLook command that prints what {@code iblinkinfo -l} does of the switch whose directed path stands for {@link #PATH} in it;
 *     null: the whole fabric is looked at whatever happens, as always with a {@code discoveryFile}
 * @param interval how often the fabric is looked at when nothing calls for it sooner
 * @param commandTimeout after which a command is killed with all it started
 * @param log that of OpenSM, followed for news of changes and of loaded tables, or null
 * @param sweepOnChange whether OpenSM is told by the same SIGHUP as soon as its log names a change: with {@code sweep_on_trap FALSE} in its settings, by which it
 *     looks at the whole fabric once after a change, not twice where the notice of the other end of a cable comes a moment later
 * @param pidFile of OpenSM, for its SIGHUP, or null
 * @param hupCommand command that has OpenSM get a SIGHUP; not looked at with a {@code pidFile}
 * @param readBack command that prints what {@code dump_fts} does of all switches; or, with one of these in it, what {@code ibroute} does
 *     of one: its directed path stands for {@link #PATH}, its LID for {@link #LID}
 * @param switchReadBack command that prints what {@code ibroute} does of one, with one of these in it, for the few switches that the next round of a change
 *     waits for; null: all are read before it. Not looked at where {@code readBack} is such a command itself
 * @param smQuery command that fails when the subnet manager does not answer, as {@code sminfo}, of whose output it is also read which one is the master; null: it is not asked
 * @param parallel how many of the latter at a time
 * @param loadTimeout how long after a SIGHUP the switches may take to hold the tables; then it is sent once more
 * @param withdrawAfter how long the file may use a port that is known to be dead before it is taken away
 * @param guid2lid file to keep the LIDs in as OpenSM reads them at its start, or null
 * @param roots file of the GUIDs of the top switches ({@code -a}), or null
 * @param nodes file of the port GUIDs of the hosts ({@code -u}), or null
 */
public record OpenSmSettings(
        Path dump,
        String discovery,
        @Nullable Path discoveryFile,
        @Nullable String switchLook,
        Duration interval,
        Duration commandTimeout,
        @Nullable Path log,
        boolean sweepOnChange,
        @Nullable Path pidFile,
        String hupCommand,
        String readBack,
        @Nullable String switchReadBack,
        @Nullable String smQuery,
        int parallel,
        Duration loadTimeout,
        Duration withdrawAfter,
        @Nullable Path guid2lid,
        @Nullable Path roots,
        @Nullable Path nodes) {
    /** Stands for the LID of the switch that is read. */
    public static final String LID = "{lid}";

    /** Stands for the directed path to it, {@code 0,1,20}, which also leads where no table does. */
    public static final String PATH = "{path}";

    private static final Duration TENTH = Duration.ofMillis(100);
    private static final Duration HOUR = Duration.ofHours(1);

    public OpenSmSettings {
        Range.check("interval", interval, TENTH, HOUR);
        Range.check("command-timeout", commandTimeout, TENTH, HOUR);
        Range.check("parallel", parallel, 1, 64);
        Range.check("load-timeout", loadTimeout, TENTH, HOUR);
        Range.check("withdraw-after", withdrawAfter, TENTH, HOUR);
        if (discoveryFile == null && discovery.isBlank()) {
            throw new IllegalArgumentException(
                    "discovery: empty; expected a command that prints what ibnetdiscover does");
        }
        if (switchLook != null && !switchLook.contains(PATH)) {
            throw new IllegalArgumentException("switch-look: '" + switchLook + "'; expected a command with " + PATH
                    + " in it that prints what iblinkinfo -l does, or null");
        }
        if (readBack.isBlank()) {
            throw new IllegalArgumentException("read-back: empty; expected a command that prints what dump_fts does");
        }
        if (switchReadBack != null && !readsOne(switchReadBack)) {
            throw new IllegalArgumentException("switch-read-back: '" + switchReadBack + "'; expected a command with "
                    + PATH + " or " + LID + " in it that prints what ibroute does, or null");
        }
        if (smQuery != null && smQuery.isBlank()) {
            throw new IllegalArgumentException(
                    "sm-query: empty; expected a command that fails when OpenSM does not answer, or null");
        }
        if (sweepOnChange && log == null) {
            throw new IllegalArgumentException(
                    "sweep-on-change: true, and no log; expected OpenSM's log, which names the changes");
        }
        if (pidFile == null && hupCommand.isBlank()) {
            throw new IllegalArgumentException("hup-command: empty, and no pid-file; expected one of both");
        }
    }

    /** The command that reads one switch; null if there is none. */
    public @Nullable String readBackOfOne() {
        return readsOne(readBack) ? readBack : switchReadBack;
    }

    /** True if this command reads one switch, not all. */
    static boolean readsOne(String command) {
        return command.contains(PATH) || command.contains(LID);
    }

    public static OpenSmSettings defaults() {
        return new OpenSmSettings(
                Path.of("/run/fabric-manager/opensm-lfts.dump"),
                "ibnetdiscover",
                null,
                "iblinkinfo -t 100 -D " + PATH + " -n 0 -l",
                Duration.ofSeconds(10),
                Duration.ofSeconds(30),
                null,
                false,
                null,
                "pkill -HUP -x opensm",
                "dump_fts -n",
                "ibroute -n -D " + PATH,
                "sminfo",
                8,
                Duration.ofSeconds(30),
                Duration.ofSeconds(5),
                null,
                null,
                null);
    }
}
