package io.dmodc.ctl;

import io.dmodc.routing.opensm.DumpReader;
import io.dmodc.routing.opensm.Lids;
import io.dmodc.routing.opensm.OpenSmTables;
import io.dmodc.settings.PrintableText;
import io.dmodc.settings.Settings;
import io.dmodc.subnet.CommandFailedException;
import io.dmodc.subnet.DirectedPaths;
import io.dmodc.subnet.DiscoveredSubnet;
import io.dmodc.subnet.DiscoverySource;
import io.dmodc.subnet.HeldLft;
import io.dmodc.subnet.IbrouteText;
import io.dmodc.subnet.OpenSmSettings;
import io.dmodc.subnet.SwitchReader;
import io.dmodc.subnet.SwitchReader.Answer;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.Guid;
import io.dmodc.topology.SwitchClaims;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A subnet as it is now: cabling and tables, by the commands that a manager's settings have in {@code southbound.opensm}. Nothing is
 * written, and OpenSM is not told anything.
 */
final class PresentSubnet {
    private static final String SECTION = "southbound.opensm";
    private static final int NAMED_MAX = 5;

    /** A switch that is asked. */
    private record Asked(long guid, int lid, String name) implements SwitchReader.Target {}

    /** A table as it is printed, and as it is read. */
    private record Said(byte[] printed, HeldLft held) {}

    /**
     * What switches hold.
     *
     * @param remarks what they do not say, a line each
     */
    record Tables(OpenSmTables held, List<String> remarks) {
        Tables {
            remarks = List.copyOf(remarks);
        }
    }

    private final OpenSmSettings settings;
    private final DiscoverySource discovery;
    private final DiscoveredSubnet seen;
    private final List<SwitchClaims> switches;

    private PresentSubnet(OpenSmSettings settings, DiscoverySource discovery, DiscoveredSubnet seen) {
        this.settings = settings;
        this.discovery = discovery;
        this.seen = seen;
        switches = seen.found().fabric().takeChanged().stream()
                .map(seen.found().fabric()::claims)
                .toList();
    }

    /**
     * Looks at the fabric.
     *
     * @param config settings of a manager
     * @throws IOException in one line, if nothing comes of it that can be a fabric
     * @throws IllegalArgumentException in one line, if the settings cannot be used
     */
    static PresentSubnet look(Path config) throws IOException {
        OpenSmSettings settings = Settings.section(config, SECTION, OpenSmSettings.class);
        DiscoverySource discovery = new DiscoverySource(settings);
        try {
            return new PresentSubnet(settings, discovery, discovery.look(System::nanoTime));
        } catch (CommandFailedException e) {
            throw new IOException("the fabric cannot be looked at: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private static IOException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new IOException("interrupted", e);
    }

    Source source() {
        return new Source(
                seen.found().fabric(),
                seen.found().lids(),
                null,
                seen.found().summary(),
                seen.found().rates(),
                seen.complaint());
    }

    /** The command, or the file, that shows the fabric. */
    String name() {
        return discovery.name();
    }

    /** The command that shows a switch's table. */
    String tablesName() {
        return settings.readBack();
    }

    /**
     * Asks all switches what they hold.
     *
     * @param view by whose indices the tables are
     * @throws IOException in one line, if none says
     * @throws IllegalArgumentException in one line, if a table cannot be one of its switch
     */
    Tables tables(FabricView view) throws IOException {
        Lids lids = Lids.of(view, source().lids()::lidOf, source().lids()::lmcOf);
        DumpReader tables = new DumpReader(view, lids);
        List<String> silent = new ArrayList<>();
        List<String> unread = new ArrayList<>();
        List<Asked> asked = switches.stream()
                .map(each -> new Asked(
                        each.guid(),
                        seen.found().lids().lidOf(each.guid()),
                        PrintableText.of(each.name()) + " (" + Guid.format(each.guid()) + ")"))
                .toList();
        try (SwitchReader<Said> reader = new SwitchReader<>(settings, PresentSubnet::checked)) {
            DirectedPaths paths = new DirectedPaths(switches, seen.fromPort());
            reader.read(asked, paths, () -> false, answer -> take(answer, tables, silent, unread));
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
        List<String> remarks = new ArrayList<>();
        if (!silent.isEmpty()) {
            remarks.add(
                    silent.size() + " of " + asked.size() + " switches do not say what they hold: " + named(silent));
        }
        if (silent.size() == asked.size()) {
            throw new IOException(remarks.get(remarks.size() - 1));
        }
        if (!unread.isEmpty()) {
            int lid = seen.found().lids().lidMax();
            remarks.add("LID " + lid + " counts as one without a route in " + unread.size()
                    + " switches, whatever they hold: the tools do not print the highest LID where it is a multiple of 64: "
                    + named(unread));
        }
        return new Tables(tables.tables(), remarks);
    }

    private static String named(List<String> all) {
        return all.stream().limit(NAMED_MAX).collect(Collectors.joining(", "));
    }

    /** The text as it is, once it is known to be a table, and of which switch. */
    private static Said checked(byte[] printed, long guid) throws CommandFailedException {
        return new Said(printed, IbrouteText.table(printed, guid));
    }

    private void take(Answer<Asked, Said> answer, DumpReader tables, List<String> silent, List<String> unread) {
        Said said = answer.said();
        if (said == null) {
            silent.add(answer.of().name() + " " + answer.failure());
            return;
        }
        if (said.held().leavesOut(seen.found().lids().lidMax())) {
            unread.add(answer.of().name());
        }
        try {
            tables.add(
                    "table of " + answer.of().name(),
                    new BufferedReader(new InputStreamReader(
                            new ByteArrayInputStream(said.printed()), StandardCharsets.ISO_8859_1)));
        } catch (IOException e) {
            throw new IllegalStateException("an array cannot be read", e);
        }
    }
}
