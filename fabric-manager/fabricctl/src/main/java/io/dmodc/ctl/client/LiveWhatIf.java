package io.dmodc.ctl.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.JsonNodeType;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * What a loss would do to the fabric of a running manager.
 *
 * @param json the answer of the manager as it is
 * @param text the same in lines for people
 * @param harmless nobody is cut off, and the change is proven
 */
public record LiveWhatIf(String json, List<String> text, boolean harmless) {
    public LiveWhatIf {
        text = List.copyOf(text);
    }

    /**
     * Asks.
     *
     * @param manager URL of the manager
     * @param switches by name or GUID
     * @param links {@code SWITCH:PORT}
     * @param congestion false: is not measured; true: if the fabric is not too large
     * @throws NoAnswerException in one line, when the manager knows no such part, or has no tables yet
     * @throws IOException in one line, when there is no answer, or nobody may ask from here
     * @throws IllegalArgumentException in one line, when the URL is none, or the manager does not understand the question
     */
    public static LiveWhatIf ask(String manager, List<String> switches, List<String> links, boolean congestion)
            throws IOException, NoAnswerException {
        ObjectNode body = JsonNodeFactory.instance.objectNode().put("act", "what-if");
        switches.forEach(body.putArray("switches")::add);
        links.forEach(body.putArray("links")::add);
        if (!congestion) {
            body.put("congestion", false);
        }
        Answer answer = new ManagerClient(manager).plan("plans", body, "text", JsonNodeType.ARRAY);
        JsonNode plan = answer.json();
        List<String> text = new ArrayList<>();
        plan.path("text").forEach(line -> text.add(line.asText()));
        boolean harmless = plan.path("valid").asBoolean()
                && plan.path("cutOff").isEmpty()
                && !plan.path("verdict").asText().equals("not-provable");
        return new LiveWhatIf(answer.text().strip(), text, harmless);
    }
}
