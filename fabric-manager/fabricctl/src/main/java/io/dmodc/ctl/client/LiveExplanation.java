package io.dmodc.ctl.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Why a switch of a running manager sends packets where it does.
 *
 * @param json the answer of the manager as it is
 * @param text the same in lines for people
 */
public record LiveExplanation(String json, List<String> text) {
    public LiveExplanation {
        text = List.copyOf(text);
    }

    /**
     * Asks.
     *
     * @param manager URL of the manager
     * @param at switch, by name or GUID
     * @param node index, name or GUID
     * @throws NoAnswerException in one line, when the manager knows no such switch or node, or has no tables yet
     * @throws IOException in one line, when there is no answer
     * @throws IllegalArgumentException in one line, when the URL is none, or the manager does not understand the question
     */
    public static LiveExplanation ask(String manager, String at, String node) throws IOException, NoAnswerException {
        Answer answer = new ManagerClient(manager)
                .get(
                        new ApiQuery("explain")
                                .with("switch", at)
                                .with("node", node)
                                .toString(),
                        "text",
                        JsonNodeType.ARRAY);
        List<String> text = new ArrayList<>();
        for (JsonNode line : answer.json().path("text")) {
            text.add(line.asText());
        }
        return new LiveExplanation(answer.text().strip(), text);
    }
}
