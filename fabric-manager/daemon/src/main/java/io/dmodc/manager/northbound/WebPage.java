package io.dmodc.manager.northbound;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.ServerCacheControl;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.HttpStatusException;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.ServiceRequestContext;
import com.linecorp.armeria.server.file.FileService;
import java.util.Set;

/**
 * The page at {@code /}: static files from the class path, and nothing from anywhere else, which the browser is told to
 * enforce.
 */
final class WebPage {
    private static final String PAGE = "io/dmodc/manager/northbound/page";
    private static final String D3 = "META-INF/resources/webjars/d3/";
    private static final Set<HttpMethod> READING = Set.of(HttpMethod.GET, HttpMethod.HEAD);
    private static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
                    + "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    private WebPage() {}

    static void addTo(ServerBuilder server, Build build) {
        server.serviceUnder("/lib/d3", files(D3 + build.d3() + "/dist"));
        server.serviceUnder("/", files(PAGE));
    }

    /** Files change with the program only, but the browser must notice when that was replaced. */
    private static HttpService files(String folder) {
        return FileService.builder(WebPage.class.getClassLoader(), folder)
                .cacheControl(ServerCacheControl.REVALIDATED)
                .build()
                .orElse(WebPage::nothing)
                .decorate((files, context, request) ->
                        READING.contains(request.method()) ? files.serve(context, request) : nothing(context, request));
    }

    /** Refuses what no other path answers, in the form all refusals have. */
    static HttpResponse nothing(ServiceRequestContext context, HttpRequest request) {
        return READING.contains(request.method())
                ? HttpResponse.ofFailure(HttpStatusException.of(HttpStatus.NOT_FOUND))
                : Problems.notAllowed(context, Problems.READING);
    }

    /** Decorates every answer with what keeps a browser from being talked into anything else. */
    static HttpResponse guarded(HttpService service, ServiceRequestContext context, HttpRequest request)
            throws Exception {
        context.setAdditionalResponseHeader(HttpHeaderNames.CONTENT_SECURITY_POLICY, POLICY);
        context.setAdditionalResponseHeader(HttpHeaderNames.X_CONTENT_TYPE_OPTIONS, "nosniff");
        context.setAdditionalResponseHeader(HttpHeaderNames.REFERRER_POLICY, "no-referrer");
        return service.serve(context, request);
    }
}
