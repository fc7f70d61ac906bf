package io.dmodc.manager.northbound;

import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.server.ServiceRequestContext;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.Objects;

/** What this interface promises, where programs look for it: {@code docs/openapi.yaml} as the build took it in. */
final class ApiIndex {
    private static final String NAME = "openapi.yaml";
    private static final MediaType YAML = MediaType.parse("application/yaml");

    /** Where to look next. */
    private record Index(String version, String openapi, Collection<String> paths) {}

    private final byte[] text = read();
    private final String tag = TaggedAnswers.tag(text);
    private final String version;

    ApiIndex(String version) {
        this.version = version;
    }

    private static byte[] read() {
        try (InputStream in = Objects.requireNonNull(ApiIndex.class.getResourceAsStream(NAME), NAME)) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(NAME + " cannot be read from the class path", e);
        }
    }

    /** Adds both paths, before {@link Routes#refuseTheRest}. */
    void addTo(Routes routes) {
        routes.get(FabricApi.PREFIX + "/" + NAME, this::document);
        routes.get(FabricApi.PREFIX, (context, request) -> {
            Parameters.none(context);
            return TaggedAnswers.json(request, new Index(version, FabricApi.PREFIX + "/" + NAME, routes.readable()));
        });
    }

    private HttpResponse document(ServiceRequestContext context, HttpRequest request) {
        Parameters.none(context);
        return TaggedAnswers.of(request.headers(), YAML, text, tag);
    }
}
