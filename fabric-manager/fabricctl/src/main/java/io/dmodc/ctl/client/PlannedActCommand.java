package io.dmodc.ctl.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.JsonNodeType;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Has the manager plan an act, and shows what it would do. */
abstract class PlannedActCommand extends ManagerCommand {
    @Option(
            names = "--congestion",
            negatable = true,
            description = "measures congestion before and after, which costs most (default: up to 16,384 nodes)")
    private @Nullable Boolean congestion;

    /** What an object is called on the command line. */
    enum Kind {
        SWITCH,
        LEAF,
        LINK;

        @Override
        public String toString() {
            return lower(name());
        }
    }

    /** What is to be planned, without options. */
    abstract ObjectNode body(ManagerClient client) throws IOException, NoAnswerException;

    @Override
    Answer ask(ManagerClient client) throws IOException, NoAnswerException {
        ObjectNode body = body(client);
        if (congestion != null) {
            body.put("congestion", congestion);
        }
        return client.plan("plans", body, "id", JsonNodeType.STRING);
    }

    /** An act about switches or links; a leaf must be one. */
    static ObjectNode about(ManagerClient client, String act, Kind kind, List<String> names)
            throws IOException, NoAnswerException {
        ObjectNode body = JsonNodeFactory.instance.objectNode().put("act", act);
        ArrayNode objects = body.putArray(kind == Kind.LINK ? "links" : "switches");
        for (String name : names) {
            if (kind == Kind.LEAF
                    && !client.get("switches/" + ApiQuery.quoted(name), "switch", JsonNodeType.OBJECT)
                            .json()
                            .at("/switch/leaf")
                            .asBoolean()) {
                throw new NoAnswerException(name + " is no leaf switch");
            }
            objects.add(name);
        }
        return body;
    }

    @Override
    void print(JsonNode plan, PrintWriter out) {
        show(plan, out);
        if (code(plan) == YES) {
            out.println("apply it with: fabricctl apply " + plan.at("/id").asText() + " --why TEXT");
        }
    }

    /** A plan in lines. */
    static void show(JsonNode plan, PrintWriter out) {
        StringBuilder head = new StringBuilder("plan " + plan.at("/id").asText() + " for epoch "
                + plan.at("/epoch").asText() + ": " + plan.at("/act").asText());
        if (plan.has("rollbackTo")) {
            head.append(" to epoch ").append(plan.at("/rollbackTo").asText());
            head.append(plan.at("/objects").isEmpty() ? ", nothing is drained then" : ", drained are then");
        }
        plan.at("/objects").forEach(object -> head.append(' ').append(object.asText()));
        if (plan.has("engine")) {
            head.append(' ').append(plan.at("/engine").asText());
        }
        out.println(head);
        plan.at("/text").forEach(line -> out.println("  " + line.asText()));
    }

    /** No if there would be no tables, or none that pass the check. */
    @Override
    int code(JsonNode plan) {
        return plan.at("/valid").asBoolean(!plan.has("problem")) ? YES : NO;
    }
}
