package io.dmodc.ctl.client;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import picocli.CommandLine.Option;

/** Who asks for something, and why: kept with it, and told. */
final class Author {
    @Option(
            names = "--by",
            paramLabel = "NAME",
            defaultValue = "${sys:user.name}",
            description = "who says so (default: the user who runs this)")
    private String by = "";

    @Option(
            names = {"--why", "--reason"},
            paramLabel = "TEXT",
            defaultValue = "",
            description = "one line: the reason")
    private String why = "";

    ObjectNode body() {
        return JsonNodeFactory.instance.objectNode().put("by", by).put("why", why);
    }
}
