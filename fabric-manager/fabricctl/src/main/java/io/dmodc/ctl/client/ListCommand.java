package io.dmodc.ctl.client;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A command that lists things of one kind. */
abstract class ListCommand extends WatchedCommand {
    @Option(names = "--limit", paramLabel = "K", description = "the first K only (default: all)")
    private @Nullable Integer limit;

    @Override
    final Answer ask(ManagerClient client) throws IOException, NoAnswerException {
        if (limit != null && limit < 1) {
            throw new IllegalArgumentException("--limit " + limit + "; expected 1 or more");
        }
        return new PagedList(client, list(), PagedList.PAGE_ROWS).get(narrowed(new ApiQuery(list())), limit);
    }

    /** Name of the list: the last part of its path, and the field that holds it. */
    abstract String list();

    /** Adds the filters. */
    ApiQuery narrowed(ApiQuery query) {
        return query;
    }
}
