package io.dmodc.manager.northbound;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpResponse;
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
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

/** What is gone for good is taken out: a switch, a cable, a host. */
final class ForgetApi {
    private static final int PORT_DIGITS_MAX = 3;

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
                    Command.refuseStrangers(context, request);
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
                            return Command.done();
                        },
                        elsewhere));
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
