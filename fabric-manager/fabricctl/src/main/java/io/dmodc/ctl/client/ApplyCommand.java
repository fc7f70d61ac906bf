package io.dmodc.ctl.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.JsonNodeType;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dmodc.ctl.client.ManagerClient.RefusedException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.PrintWriter;
import java.util.HashSet;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code fabricctl apply}. */
@Command(
        name = "apply",
        description = {
            "Has a plan done, and waits until all switches hold what it wants and drained ones carry nothing any more.",
            "Exit code 1 if the fabric has moved on since it was planned: then the new plan is shown; and if it takes too long."
        })
public final class ApplyCommand extends ManagerCommand {
    private static final long PAUSE_MILLIS = 100;

    @Parameters(paramLabel = "PLAN", description = "as 'fabricctl plan' names it")
    private String plan = "";

    @Mixin
    private Author author = new Author();

    @Option(
            names = "--wait",
            paramLabel = "SECONDS",
            defaultValue = "120",
            description = "how long at most; 0: not at all (default: ${DEFAULT-VALUE})")
    private int waitSeconds;

    @Override
    Answer ask(ManagerClient client) throws IOException, NoAnswerException {
        if (waitSeconds < 0) {
            throw new IllegalArgumentException("--wait " + waitSeconds + "; expected 0 or more seconds");
        }
        String path = "plans/" + ApiQuery.quoted(plan);
        JsonNode wanted = client.get(path, "id", JsonNodeType.STRING).json();
        try {
            client.post(path + "/apply", author.body(), "drained", JsonNodeType.ARRAY);
        } catch (UnknownException | RefusedException e) {
            throw e;
        } catch (NoAnswerException e) {
            renew(client, path);
            throw e;
        } catch (IOException e) {
            throw new IOException(
                    "whether the plan is applied is not known, 'fabricctl status' tells: " + e.getMessage(), e);
        }
        try {
            return waitFor(client, wanted);
        } catch (InterruptedIOException e) {
            throw e;
        } catch (IOException e) {
            // Whoever reads that there is no manager must not take it for not applied.
            throw new IOException("the plan is applied; how far it is is not known: " + e.getMessage(), e);
        }
    }

    /** What stands in its way may be no more than that the fabric has moved on. */
    private void renew(ManagerClient client, String path) throws IOException {
        try {
            JsonNode fresh = client.plan(
                            path + "/renew", JsonNodeFactory.instance.objectNode(), "id", JsonNodeType.STRING)
                    .json();
            err().println("as things are now:");
            PlannedActCommand.show(fresh, err());
        } catch (NoAnswerException e) {
            err().println("it cannot be planned any more: " + e.getMessage());
        }
    }

    private Answer waitFor(ManagerClient client, JsonNode wanted) throws IOException, NoAnswerException {
        long epoch = wanted.at("/epoch").asLong();
        long end = System.nanoTime() + waitSeconds * 1_000_000_000L;
        Answer status = client.get("status", "epoch", JsonNodeType.NUMBER);
        while (!isDone(status.json(), wanted, epoch) && System.nanoTime() < end) {
            try {
                Thread.sleep(PAUSE_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("interrupted; the plan is applied");
            }
            status = client.get("status", "epoch", JsonNodeType.NUMBER);
        }
        ObjectNode done = JsonNodeFactory.instance.objectNode();
        done.put("plan", plan).put("complete", isDone(status.json(), wanted, epoch));
        done.put("epoch", status.json().at("/epoch").asLong());
        done.put("paused", status.json().at("/intent").has("pause"));
        done.set("drained", drained(status.json(), wanted));
        return new Answer(done.toString(), done);
    }

    /** A later epoch is complete, and all that the plan drains is safe. */
    private static boolean isDone(JsonNode status, JsonNode wanted, long epoch) {
        boolean complete = status.at("/epoch").asLong() > epoch
                && status.at("/lastEpoch/stage").asText().equals("complete");
        for (JsonNode drained : drained(status, wanted)) {
            complete &= drained.at("/safe").asBoolean();
        }
        return complete;
    }

    /** What the plan drains. */
    private static ArrayNode drained(JsonNode status, JsonNode wanted) {
        Set<String> objects = new HashSet<>();
        if (wanted.at("/act").asText().equals("drain")) {
            wanted.at("/objects").forEach(object -> objects.add(object.asText()));
        }
        ArrayNode found = JsonNodeFactory.instance.arrayNode();
        for (JsonNode drained : status.at("/intent/drained")) {
            if (objects.contains(drained.at("/name").asText())) {
                found.add(drained);
            }
        }
        return found;
    }

    @Override
    void print(JsonNode done, PrintWriter out) {
        for (JsonNode drained : done.at("/drained")) {
            out.println(DrainsCommand.text(drained));
        }
        if (done.at("/complete").asBoolean()) {
            out.println("applied: epoch " + done.at("/epoch").asText() + " is complete");
        } else if (done.at("/paused").asBoolean()) {
            out.println("applied, and waits: pushes are paused");
        } else {
            out.println("applied; it does not hold everywhere yet (epoch "
                    + done.at("/epoch").asText() + ")");
        }
    }

    @Override
    int code(JsonNode done) {
        return done.at("/complete").asBoolean() || waitSeconds == 0 ? YES : NO;
    }
}
