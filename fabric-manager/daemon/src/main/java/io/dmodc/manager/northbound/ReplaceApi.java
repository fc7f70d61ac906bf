package io.dmodc.manager.northbound;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.dmodc.manager.core.FabricEvent.ReplaceAsked;
import io.dmodc.manager.core.FabricEvent.SwitchGuid;
import io.dmodc.manager.core.FabricSnapshot;
import java.util.Set;

/** A new switch takes the place of one that is gone. */
final class ReplaceApi {
    private final LoopClient loop;

    ReplaceApi(LoopClient loop) {
        this.loop = loop;
    }

    /** What is sent: name or GUID of the switch that is there now. */
    private record By(
            @JsonProperty(value = "with", required = true) String with) {}

    void addTo(Routes routes) {
        routes.add(FabricApi.PREFIX + "/switches/{switch}/replace", this::replace, HttpMethod.POST);
    }

    private HttpResponse replace(ServiceRequestContext context, HttpRequest request) {
        String old = new Parameters(context, Set.of()).inPath("switch");
        return HttpResponse.of(Command.body(
                        context, request, By.class, "{\"with\": \"name or GUID of the new switch\"}")
                .thenApply(by -> asked(loop.snapshot(), old, by.with))
                .thenCompose(asked -> loop.tell(asked, "not replaced, ").thenApply(fabric -> {
                    if (fabric.knows(new SwitchGuid(asked.oldGuid()))) {
                        throw RequestRefused.conflict("not replaced, it has just come back");
                    }
                    return Command.done();
                })));
    }

    private ReplaceAsked asked(FabricSnapshot fabric, String old, String by) {
        SwitchGuid gone = ForgetApi.aSwitch(fabric, old);
        SwitchGuid there = ForgetApi.aSwitch(fabric, by);
        return new ReplaceAsked(loop.nowNanos(), gone.guid(), there.guid());
    }
}
