package io.dmodc.ctl.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeType;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A list of any length, asked for page by page: a page that was cut says where the next one starts. What the first page
 * says beside the list counts for all; a fabric that changes meanwhile may show in later pages only.
 */
final class PagedList {
    /** Rows of one page at most. */
    static final int PAGE_ROWS = 5_000;

    /** No list is longer; a manager that never ends one is not read for ever. */
    private static final int ROWS_MAX = 10_000_000;

    private static final String NEXT = "next";

    private final ManagerClient client;
    private final String list;
    private final int pageRows;

    /**
     * Prepares for one list.
     *
     * @param list name of the field that holds the rows
     * @param pageRows rows of one page at most
     */
    PagedList(ManagerClient client, String list, int pageRows) {
        this.client = client;
        this.list = list;
        this.pageRows = pageRows;
    }

    /**
     * Gets all rows, or the first ones.
     *
     * @param limit rows wanted; {@code null} for all
     * @return one page as the manager wrote it, or several put together without a field {@code next}
     */
    Answer get(ApiQuery query, @Nullable Integer limit) throws IOException, NoAnswerException {
        int wanted = limit == null ? ROWS_MAX : limit;
        Answer first =
                client.get(query.with("limit", Math.min(wanted, pageRows)).toString(), list, JsonNodeType.ARRAY);
        int rows = first.json().path(list).size();
        if (!(first.json() instanceof ObjectNode whole)
                || !(whole.get(list) instanceof ArrayNode all)
                || !whole.has(NEXT)
                || rows >= wanted) {
            return first;
        }
        JsonNode next = whole.remove(NEXT);
        while (next != null && all.size() < wanted) {
            query.with("limit", Math.min(wanted - all.size(), pageRows)).with("after", next.asText());
            JsonNode page =
                    client.get(query.toString(), list, JsonNodeType.ARRAY).json();
            if (page.path(list).isEmpty()) {
                break;
            }
            page.path(list).forEach(all::add);
            next = page.get(NEXT);
        }
        if (next != null && all.size() >= wanted) {
            whole.set(NEXT, next);
        }
        return new Answer(whole.toString(), whole);
    }
}
