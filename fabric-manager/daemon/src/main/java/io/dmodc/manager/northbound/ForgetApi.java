package io.dmodc.manager.northbound;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.dmodc.manager.core.FabricEvent.CableAt;
import io.dmodc.manager.core.FabricEvent.ForgetAsked;
import io.dmodc.manager.core.FabricEvent.Forgettable;
import io.dmodc.manager.core.FabricEvent.HostPort;
import io.dmodc.manager.core.FabricEvent.SwitchGuid;
import io.dmodc.manager.core.FabricSnapshot;
import io.dmodc.manager.core.SwitchSnapshot;
import io.dmodc.manager.state.StateRecord.ExpectedPort;
import io.dmodc.manager.state.StateRecord.ExpectedSwitch;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.Guid;
import io.netty.util.AsciiString;
import io.netty.util.NetUtil;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

/**
 * What is gone for good is taken out: a switch, a cable, a host. The first thing people can change over HTTP, so
 * only clients on this machine may, and only if they call it by a name no web page elsewhere can have.
 */
final class ForgetApi {
    private static final int PORT_DIGITS_MAX = 3;
    private static final List<AsciiString> FORWARDED =
            List.of(HttpHeaderNames.FORWARDED, HttpHeaderNames.X_FORWARDED_FOR, HttpHeaderNames.VIA);

    private final LoopClient loop;

    ForgetApi(LoopClient loop) {
        this.loop = loop;
    }

    void addTo(Routes routes) {
        forget(routes, "/switches/", "switch", ForgetApi::aSwitch);
        forget(routes, "/nodes/", "node", ForgetApi::aHost);
        forget(routes, "/links/", "link", ForgetApi::aCable);
    }

    private void forget(Routes routes, String path, String what, BiFunction<FabricSnapshot, String, Forgettable> find) {
        routes.add(
                FabricApi.PREFIX + path + "{" + what + "}",
                (context, request) -> {
                    refuseStrangers(context, request);
                    String text = new Parameters(context, Set.of()).inPath(what);
                    Executor elsewhere = context.blockingTaskExecutor();
                    return HttpResponse.of(() -> forget(find.apply(loop.snapshot(), text), elsewhere), elsewhere);
                },
                HttpMethod.DELETE);
    }

    private HttpResponse forget(Forgettable what, Executor elsewhere) {
        return HttpResponse.of(loop.tell(new ForgetAsked(loop.nowNanos(), what), "not forgotten, ")
                .thenApplyAsync(
                        fabric -> {
                            if (fabric.knows(what)) {
                                throw RequestRefused.conflict("not forgotten, it has just come back");
                            }
                            return HttpResponse.of(ResponseHeaders.of(HttpStatus.NO_CONTENT));
                        },
                        elsewhere));
    }

    /**
     * A page of another site may have a name that leads to this machine; then that name is in the request. A proxy on
     * this machine says for whom it asks.
     */
    static void refuseStrangers(ServiceRequestContext context, HttpRequest request) {
        boolean local = context.remoteAddress().getAddress().isLoopbackAddress();
        String host = String.valueOf(request.authority()).replaceFirst(":\\d+$", "");
        String bare = host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
        boolean named =
                !bare.equals("localhost") && !NetUtil.isValidIpV4Address(bare) && !NetUtil.isValidIpV6Address(bare);
        boolean passedOn = FORWARDED.stream().anyMatch(request.headers()::contains);
        if (!local || named || passedOn) {
            throw RequestRefused.forbidden("only a client on the manager's own machine may do this");
        }
    }

    /** Also one that has not come in since the manager started. */
    static SwitchGuid aSwitch(FabricSnapshot fabric, String text) {
        Set<Long> known = new TreeSet<>(Long::compareUnsigned);
        fabric.switches().stream().map(SwitchSnapshot::guid).forEach(known::add);
        fabric.expected().stream().map(ExpectedSwitch::guid).forEach(known::add);
        if (text.startsWith("0x") || text.startsWith("0X")) {
            known.retainAll(Set.of(Parameters.guid(text)));
        } else {
            known.removeIf(guid -> !fabric.nameOf(guid).equals(text));
        }
        if (known.size() > 1) {
            throw RequestRefused.badRequest(known.size() + " switches are called '" + text + "': "
                    + known.stream().map(Guid::format).collect(Collectors.joining(", ")) + "; give the GUID");
        }
        if (known.isEmpty()) {
            throw RequestRefused.notFound("no switch '" + text + "'");
        }
        return new SwitchGuid(known.iterator().next());
    }

    /** {@code SWITCH:PORT}, at either end. */
    private static CableAt aCable(FabricSnapshot fabric, String text) {
        int colon = text.lastIndexOf(':');
        String digits = text.substring(colon + 1);
        if (colon < 1 || !digits.matches("\\d{1," + PORT_DIGITS_MAX + "}")) {
            throw RequestRefused.badRequest("'" + text + "' is no cable; expected SWITCH:PORT");
        }
        CableAt cable = new CableAt(aSwitch(fabric, text.substring(0, colon)).guid(), Integer.parseInt(digits));
        if (!fabric.knows(cable)) {
            throw RequestRefused.notFound("no cable '" + text + "'");
        }
        return cable;
    }

    private static HostPort aHost(FabricSnapshot fabric, String text) {
        Set<Long> found = new TreeSet<>(Long::compareUnsigned);
        for (ExpectedSwitch known : fabric.expected()) {
            for (ExpectedPort port : known.ports()) {
                if (port.neighbour() instanceof ToHost to
                        && (to.host().name().equals(text)
                                || Guid.format(to.host().portGuid()).equalsIgnoreCase(text))) {
                    found.add(to.host().portGuid());
                }
            }
        }
        if (found.size() > 1) {
            throw RequestRefused.badRequest(found.size() + " hosts are called '" + text + "': "
                    + found.stream().map(Guid::format).collect(Collectors.joining(", ")) + "; give the GUID");
        }
        if (found.isEmpty()) {
            throw RequestRefused.notFound("no host '" + text + "'");
        }
        return new HostPort(found.iterator().next());
    }
}
