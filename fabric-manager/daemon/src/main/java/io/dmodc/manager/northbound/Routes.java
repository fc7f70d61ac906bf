package io.dmodc.manager.northbound;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServerBuilder;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Which paths there are, and what may be done with each: HEAD wherever GET is, 405 with what is allowed for the rest. */
final class Routes {
    private final ServerBuilder server;
    private final Map<String, Set<HttpMethod>> methods = new LinkedHashMap<>();

    Routes(ServerBuilder server) {
        this.server = server;
    }

    /** The body of an answer to HEAD is taken off on its way out. */
    void get(String path, HttpService service) {
        add(path, service, HttpMethod.GET, HttpMethod.HEAD);
    }

    /** Adds methods to a path; each is added to a path once. */
    void add(String path, HttpService service, HttpMethod... some) {
        Set<HttpMethod> asked = EnumSet.copyOf(List.of(some));
        methods.computeIfAbsent(path, missing -> EnumSet.noneOf(HttpMethod.class))
                .addAll(asked);
        var route = server.route().path(path).methods(asked);
        if (asked.contains(HttpMethod.POST)) {
            // Here, as a request that says to be longer is refused before its service is asked.
            route.maxRequestLength(Command.BODY_MAX);
        }
        route.build(service);
    }

    /** Paths that can be read, in the order they were added. */
    Collection<String> readable() {
        List<String> paths = new ArrayList<>();
        methods.forEach((path, known) -> {
            if (known.contains(HttpMethod.GET)) {
                paths.add(path);
            }
        });
        return paths;
    }

    /** Refuses the other methods; after the last path was added. */
    void refuseTheRest() {
        methods.forEach((path, known) -> {
            Set<HttpMethod> rest = EnumSet.copyOf(HttpMethod.knownMethods());
            rest.removeAll(known);
            String allow = known.stream().map(Enum::name).collect(Collectors.joining(", "));
            server.route().path(path).methods(rest).build((context, request) -> Problems.notAllowed(context, allow));
        });
    }
}
