package io.dmodc.manager.northbound;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Makes requests from an OpenAPI document: mostly what it allows, its bounds, and what it does not. */
final class RandomRequests {
    private static final List<String> OTHER = List.of("POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "FOO");
    private static final List<String> ODD = List.of(
            "",
            " ",
            "%",
            "%2",
            "%ZZ",
            "%00",
            "%ff%fe",
            "%2F",
            "..",
            "%2e%2e",
            ".",
            "a/b",
            "%0d%0aX:%20y",
            "%F0%9F%90%9B",
            "*",
            "-1",
            "+1",
            "1e3",
            "0x",
            "0xg",
            "0x00000000000000001",
            "9223372036854775808",
            "99999999999999999999",
            "null",
            "true",
            "a%26b=c",
            "x".repeat(3000),
            "%D9%A1%D9%A2",
            ";",
            "%3B",
            "\\",
            "[]");

    /** Raw text that is part of the path's or the query's own structure, or is not well formed. */
    private static final String STRUCTURE =
            "%|%2|%ZZ|%00|%ff%fe|\\.\\.|%2e%2e|\\.|a/b||;|\\\\|\\[\\]| |%2F|%0d%0aX:%20y";

    private final JsonNode document;
    private final SplittableRandom random;
    private final List<String> paths = new ArrayList<>();
    private final List<String> words;
    private final List<String> tags = new ArrayList<>(List.of("*", "\"none\"", "W/\"x\", \"y\"", "junk", ","));

    /** @param words names and GUIDs that the fabric knows */
    RandomRequests(JsonNode document, SplittableRandom random, List<String> words) {
        this.document = document;
        this.random = random;
        this.words = words;
        document.get("paths").fieldNames().forEachRemaining(paths::add);
    }

    /**
     * A request.
     *
     * @param path as the document has it
     * @param malformed the target is not what a decent client sends: what it means is for the server to say
     */
    record Request(String path, String method, String target, Map<String, String> headers, boolean malformed) {}

    void seen(String tag) {
        if (!tag.isEmpty() && tags.size() < 200) {
            tags.add(tag);
        }
    }

    Request next() {
        String path = pick(paths);
        if (path.endsWith("/stream") && chance(90)) {
            return next();
        }
        JsonNode item = document.get("paths").get(path);
        String method = method(item);
        JsonNode operation =
                item.path(item.has("get") && !method.equals("DELETE") ? "get" : item.has("delete") ? "delete" : "post");
        StringBuilder target = new StringBuilder(path);
        StringBuilder query = new StringBuilder();
        boolean malformed = false;
        for (JsonNode unresolved : operation.path("parameters")) {
            JsonNode parameter = SchemaCheck.resolve(document, unresolved);
            String name = parameter.get("name").asText();
            String value = value(parameter);
            if (parameter.get("in").asText().equals("path")) {
                int at = target.indexOf("{" + name + "}");
                target.replace(at, at + name.length() + 2, value);
                malformed |= value.matches(STRUCTURE);
            } else if (parameter.path("required").asBoolean() ? chance(95) : chance(30)) {
                int times = chance(97) ? 1 : 2;
                for (int i = 0; i < times; i++) {
                    query.append(query.isEmpty() ? "?" : "&")
                            .append(name)
                            .append('=')
                            .append(value);
                }
                malformed |= value.matches(STRUCTURE);
            }
        }
        if (chance(4)) {
            query.append(query.isEmpty() ? "?" : "&").append(pick(List.of("_", "colour=red", "limit%20=1", "=", "&&")));
        }
        // Paths that parameters fill in may be other paths of the document then.
        return new Request(path, method, target.append(query).toString(), headers(), malformed);
    }

    private String method(JsonNode item) {
        int dice = random.nextInt(100);
        if (dice < 12) {
            return pick(OTHER);
        }
        if (!item.has("get")) {
            return item.has("delete") ? "DELETE" : "POST";
        }
        return dice < 25 ? "HEAD" : item.has("delete") && dice < 35 ? "DELETE" : "GET";
    }

    private Map<String, String> headers() {
        Map<String, String> headers = new HashMap<>();
        if (chance(30)) {
            headers.put("If-None-Match", pick(tags));
        }
        if (chance(10)) {
            headers.put("Accept-Encoding", "gzip");
        }
        if (chance(1)) {
            headers.put("Accept", "text/event-stream");
        }
        return headers;
    }

    private String value(JsonNode parameter) {
        JsonNode schema = SchemaCheck.resolve(document, parameter.path("schema"));
        int dice = random.nextInt(100);
        if (dice < 10) {
            return pick(ODD);
        }
        if (dice < 25) {
            return encoded(pick(words));
        }
        if (dice < 35 && parameter.has("example")) {
            return encoded(parameter.get("example").asText());
        }
        if (schema.has("enum")) {
            return schema.get("enum")
                    .get(random.nextInt(schema.get("enum").size()))
                    .asText();
        }
        return switch (schema.path("type").asText()) {
            case "integer" -> integer(schema);
            case "boolean" -> pick(List.of("true", "false"));
            default -> encoded(chance(70) ? pick(words) : pick(words).charAt(0) + "*");
        };
    }

    private String integer(JsonNode schema) {
        long low = schema.path("minimum").asLong(0);
        long high = schema.path("maximum").asLong(Long.MAX_VALUE);
        return switch (random.nextInt(6)) {
            case 0 -> String.valueOf(low);
            case 1 -> String.valueOf(high);
            case 2 -> String.valueOf(low - 1);
            case 3 -> String.valueOf(high + 1);
            default -> String.valueOf(low + random.nextInt(20));
        };
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    private <T> T pick(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }
}
