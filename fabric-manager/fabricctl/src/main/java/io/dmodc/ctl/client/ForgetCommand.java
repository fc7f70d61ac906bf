package io.dmodc.ctl.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code fabricctl forget}. */
@Command(
        name = "forget",
        description = {
            "Has the manager forget a switch, node or cable that is gone for good. What comes back is simply there again.",
            "Exit code 1 if there is no such thing, or if it is there now."
        })
public final class ForgetCommand extends ManagerCommand {
    private static final Pattern PORT = Pattern.compile("(.+):(\\d{1,3})");

    /** What can be forgotten. */
    enum Kind {
        SWITCH,
        NODE,
        LINK;

        /** As a command line spells it. */
        @Override
        public String toString() {
            return lower(name());
        }
    }

    @Parameters(
            paramLabel = "NAME|GUID|SWITCH:PORT",
            description = "a switch or a node by name or GUID, or the cable at a port of a switch")
    private String what = "";

    @Option(
            names = "--type",
            paramLabel = "switch|node|link",
            description = "what it is (default: a cable if it has a port, else the switch of that name, else the node)")
    private @Nullable Kind type;

    @Override
    Answer ask(ManagerClient client) throws IOException, NoAnswerException {
        List<Kind> kinds = kinds();
        String first = "";
        for (Kind kind : kinds) {
            try {
                client.delete(path(kind));
                ObjectNode done = JsonNodeFactory.instance.objectNode();
                done.put("forgotten", kind.toString()).put("what", what);
                return new Answer(done.toString(), done);
            } catch (UnknownException e) {
                first = first.isEmpty() ? String.valueOf(e.getMessage()) : first;
            }
        }
        boolean either = kinds.equals(List.of(Kind.SWITCH, Kind.NODE));
        throw new NoAnswerException(either ? "no switch and no node '" + what + "'" : first);
    }

    private List<Kind> kinds() {
        if (type != null) {
            return List.of(type);
        }
        List<Kind> kinds = new ArrayList<>(List.of(Kind.SWITCH, Kind.NODE));
        if (PORT.matcher(what).matches()) {
            kinds.add(0, Kind.LINK);
        }
        return kinds;
    }

    private String path(Kind kind) {
        return switch (kind) {
            case SWITCH -> "switches/" + ApiQuery.quoted(what);
            case NODE -> "nodes/" + ApiQuery.quoted(what);
            case LINK -> "links/" + link();
        };
    }

    private String link() {
        Matcher port = PORT.matcher(what);
        if (!port.matches()) {
            throw new IllegalArgumentException("'" + what + "' is no cable; expected SWITCH:PORT, as leaf0:9");
        }
        return ApiQuery.quoted(port.group(1)) + ":" + port.group(2);
    }

    @Override
    void print(JsonNode done, PrintWriter out) {
        out.println("forgotten: " + done.at("/forgotten").asText() + " "
                + done.at("/what").asText());
    }
}
