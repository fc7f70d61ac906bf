package io.dmodc.manager.core;

import io.dmodc.topology.FabricChange.Neighbour;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.Guid;
import io.dmodc.topology.Host;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The text form of an {@link Inventory} and of the alarms that are open, an entry a line:
 *
 * <pre>
 * switch GUID PORTS NAME
 * link GUID PORT GUID PORT              the lower GUID first
 * host GUID PORT PORTGUID HOSTGUID HOSTPORT NAME     switch and port first; the name is the rest of the line
 * alarm ID SINCE EPOCH SUBJECT GUID PORT             SINCE in milliseconds since 1970
 * last-alarm ID
 * </pre>
 */
final class InventoryLines {
    private static final String FORMS =
            "expected 'switch', 'link', 'host', 'alarm' or 'last-alarm' and what belongs to it";

    private InventoryLines() {}

    static String ofSwitch(long guid, int portCount, String name) {
        return "switch " + Guid.format(guid) + " " + portCount + " " + printable(name);
    }

    static String ofPort(long guid, int port, Neighbour far) {
        if (far instanceof ToHost to) {
            Host host = to.host();
            return "host " + end(guid, port) + " " + Guid.format(host.portGuid()) + " " + Guid.format(host.hostGuid())
                    + " " + host.hostPort() + " " + printable(host.name());
        }
        ToSwitch to = (ToSwitch) far;
        boolean inOrder = Long.compareUnsigned(guid, to.guid()) <= 0;
        String near = end(guid, port);
        String remote = end(to.guid(), to.port());
        return "link " + (inOrder ? near + " " + remote : remote + " " + near);
    }

    static String ofAlarm(AlarmKey key, KnownBefore.Since since) {
        return "alarm " + since.id() + " " + since.sinceMillis() + " " + since.causeEpoch() + " "
                + key.subject().name().toLowerCase(Locale.ROOT) + " " + end(key.guid(), key.port());
    }

    static String lastAlarm(long id) {
        return "last-alarm " + id;
    }

    private static String end(long guid, int port) {
        return Guid.format(guid) + " " + port;
    }

    /** One line a name, whatever an agent calls itself. */
    private static String printable(String name) {
        return name.replaceAll("\\p{Cntrl}", "?");
    }

    /**
     * Reads all entries.
     *
     * @param source file name for messages
     * @throws IllegalArgumentException in one line: source, line number, what was expected
     */
    static KnownBefore parse(String source, List<String> lines) {
        KnownBefore known = new KnownBefore();
        List<Integer> cables = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            if (line.startsWith("link ") || line.startsWith("host ")) {
                cables.add(i);
            } else {
                take(known, source, i, line);
            }
        }
        // Both ends must be known first.
        cables.forEach(i -> take(known, source, i, lines.get(i)));
        known.inventory().takeChanges();
        return known;
    }

    private static void take(KnownBefore known, String source, int i, String line) {
        try {
            take(known, line.split(" ", 7));
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            String shown = line.length() <= 60 ? line : line.substring(0, 60) + "…";
            throw new IllegalArgumentException(source + ":" + (i + 1) + ": '" + shown + "'; " + FORMS, e);
        }
    }

    private static void take(KnownBefore known, String[] words) {
        Inventory inventory = known.inventory();
        switch (words[0]) {
            case "switch" -> {
                String name = String.join(" ", List.of(words).subList(3, words.length));
                inventory.addSwitch(Guid.parse(words[1]), name, portCount(words[2]));
            }
            case "link" -> {
                ToSwitch far = new ToSwitch(Guid.parse(words[3]), Integer.parseInt(words[4]));
                takeCable(inventory, Guid.parse(words[1]), Integer.parseInt(words[2]), far);
            }
            case "host" -> {
                Host host = new Host(Guid.parse(words[3]), Guid.parse(words[4]), Integer.parseInt(words[5]), words[6]);
                takeCable(inventory, Guid.parse(words[1]), Integer.parseInt(words[2]), new ToHost(host));
            }
            case "alarm" -> {
                AlarmKey.Subject subject = AlarmKey.Subject.valueOf(words[4].toUpperCase(Locale.ROOT));
                AlarmKey key = new AlarmKey(subject, Guid.parse(words[5]), Integer.parseInt(words[6]));
                known.addAlarm(key, Long.parseLong(words[1]), Long.parseLong(words[2]), Long.parseLong(words[3]));
            }
            case "last-alarm" -> known.alarmIdsUpTo(Long.parseLong(words[1]));
            default -> throw new IllegalArgumentException(words[0]);
        }
    }

    private static int portCount(String text) {
        int count = Integer.parseInt(text);
        if (count < 1 || count > FabricView.PORT_MAX) {
            throw new IllegalArgumentException("no port count");
        }
        return count;
    }

    private static void takeCable(Inventory inventory, long guid, int port, Neighbour far) {
        inventory.seenWorking(guid, port, far);
        if (!far.equals(inventory.expected(guid, port))) {
            throw new IllegalArgumentException("no such switch or port");
        }
    }
}
