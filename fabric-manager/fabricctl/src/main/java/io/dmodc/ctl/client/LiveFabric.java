package io.dmodc.ctl.client;

import com.fasterxml.jackson.databind.JsonNode;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.SwitchSeen;
import io.dmodc.topology.FabricChange.SwitchState;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.Guid;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.Host;
import io.dmodc.topology.NodeIndexMap;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The fabric as a running manager sees it now, read from {@code /switches}, {@code /links} and {@code /nodes}.
 *
 * <p>The three answers must be of one epoch; they are asked for again, at most {@link #TRIES} times, while the fabric
 * changes between them. The manager does not tell GUIDs of adapters, so a host's is that of its port.
 */
public final class LiveFabric {
    /** How often the three answers are asked for until they are of one epoch. */
    private static final int TRIES = 5;

    private final ManagerClient client;
    private final FabricViewBuilder fabric = new FabricViewBuilder();
    private final GuidNumbers levels = new GuidNumbers();
    private final List<String> indices = new ArrayList<>();
    private final Set<Long> downHosts = new HashSet<>();
    private final Set<Long> epochs = new HashSet<>();

    private LiveFabric(ManagerClient client) {
        this.client = client;
    }

    /**
     * Reads it.
     *
     * @param manager URL of the manager
     * @throws IOException in one line, when there is no answer, or none that can be understood
     * @throws IllegalArgumentException in one line, when the URL is none
     */
    public static LiveFabric read(String manager) throws IOException {
        ManagerClient client = new ManagerClient(manager);
        for (int attempt = 0; attempt < TRIES; attempt++) {
            LiveFabric read = new LiveFabric(client);
            read.ask();
            if (read.epochs.size() == 1) {
                return read;
            }
        }
        throw new IOException(manager + ": the fabric changed " + TRIES + " times while it was read; try again");
    }

    /** Live links and all hosts, with the manager's ranks and node indices. */
    public FabricView view() {
        return fabric.build(
                epochs.iterator().next(), NodeIndexMap.parse(client.address() + "/api/v1/nodes", indices), levels);
    }

    /** Port GUIDs of hosts that are down. */
    public Set<Long> downHosts() {
        return Set.copyOf(downHosts);
    }

    private void ask() throws IOException {
        try {
            askAll("switches", this::takeSwitch);
            askAll("links", this::takeLink);
            askAll("nodes", this::takeNode);
        } catch (NoAnswerException e) {
            throw new IOException(client.address() + ": " + e.getMessage(), e);
        } catch (IllegalArgumentException e) {
            throw new IOException(client.address() + " does not answer like a fabric manager: " + e.getMessage(), e);
        }
    }

    /** Takes one entry of a list in. */
    private interface Taker {
        void take(JsonNode entry);
    }

    private void askAll(String list, Taker taker) throws IOException, NoAnswerException {
        JsonNode answer = new PagedList(client, list, PagedList.PAGE_ROWS)
                .get(new ApiQuery(list), null)
                .json();
        epochs.add(answer.path("epoch").asLong());
        answer.path(list).forEach(taker::take);
    }

    private void takeSwitch(JsonNode seen) {
        long guid = guid(seen, "guid");
        fabric.apply(new SwitchSeen(guid, seen.path("name").asText(), number(seen, "ports")));
        if (seen.has("rank")) {
            levels.put(guid, number(seen, "rank"));
        }
        String state = seen.has("state")
                ? seen.path("state").asText()
                : seen.path("condition").asText();
        fabric.apply(new SwitchState(guid, !state.equals("dead")));
    }

    private void takeLink(JsonNode link) {
        JsonNode a = link.path("a");
        JsonNode b = link.path("b");
        boolean live = link.has("live")
                ? link.path("live").asBoolean()
                : link.path("state").asText().equals("live");
        takeEnd(a, b, live);
        takeEnd(b, a, live);
    }

    private void takeEnd(JsonNode near, JsonNode far, boolean live) {
        ToSwitch to = new ToSwitch(guid(far, "guid"), number(far, "port"));
        fabric.apply(new PortSeen(guid(near, "guid"), number(near, "port"), live, to));
    }

    private void takeNode(JsonNode node) {
        long guid = guid(node, "guid");
        Host host = new Host(guid, guid, 1, node.path("name").asText());
        boolean down = node.path("state").asText().equals("down");
        if (down) {
            downHosts.add(guid);
        }
        fabric.apply(new PortSeen(guid(node, "switchGuid"), number(node, "port"), !down, new ToHost(host)));
        if (node.path("index").asInt(-1) >= 0) {
            indices.add(Guid.format(guid) + " " + number(node, "index"));
        }
    }

    private static long guid(JsonNode from, String field) {
        if (!from.path(field).isTextual()) {
            throw new IllegalArgumentException("a field '" + field + "' is missing or no text");
        }
        return Guid.parse(from.path(field).asText());
    }

    private static int number(JsonNode from, String field) {
        if (!from.path(field).canConvertToInt()) {
            throw new IllegalArgumentException("a field '" + field + "' is missing or no number");
        }
        return from.path(field).asInt();
    }
}
