package io.dmodc.ctl.client;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code fabricctl plan replace}. */
@Command(
        name = "replace",
        description = {
            "A new switch is there in place of one that is gone: it is to take over its level, the cables and hosts still missing, and"
                    + " what is drained of it; the old one is forgotten.",
            "With 'node' in front, an adapter: it is to have the node index of the old one, so that routes stay as they are. It may be"
                    + " there already, or come later: then it is named by the GUID of its port.",
            "Exit code 1 if there is no such switch or node, if the old one is there now, or if a switch had another level than the new"
                    + " one has."
        })
public final class PlanReplaceCommand extends PlannedActCommand {
    private static final String NODE = "node";

    @Parameters(
            arity = "2..3",
            paramLabel = "[node] OLD NEW",
            hideParamSyntax = true,
            description = "what is gone, and what is in its place, by name or GUID")
    private List<String> words = new ArrayList<>();

    @Override
    ObjectNode body(ManagerClient client) {
        boolean nodes = words.size() == 3;
        if (nodes && !words.get(0).equals(NODE)) {
            throw new IllegalArgumentException(
                    "'" + words.get(0) + "' in front of two names; expected 'node', or nothing for switches");
        }
        ObjectNode body = JsonNodeFactory.instance.objectNode().put("act", "replace");
        ArrayNode objects = body.putArray(nodes ? "nodes" : "switches");
        words.subList(words.size() - 2, words.size()).forEach(objects::add);
        return body;
    }
}
