package io.dmodc.manager.service;

import io.dmodc.detector.RingRules;
import io.dmodc.manager.config.ManagerConfig;
import io.dmodc.manager.core.Effect;
import io.dmodc.manager.loop.EffectShell;
import io.dmodc.manager.loop.EventLog;
import io.dmodc.manager.loop.FabricLoop;
import io.dmodc.manager.loop.RouteWorker;
import io.dmodc.manager.opensm.OpenSmBridge;
import io.dmodc.manager.ring.ManagerRingMember;
import io.dmodc.manager.southbound.AgentServer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Performs what the core decided. Called on the loop thread; everything slow goes elsewhere. */
final class EffectPerformer implements EffectShell {
    private static final Logger LOG = LoggerFactory.getLogger(EffectPerformer.class);

    private final ManagerConfig.Detector detector;
    private final RouteWorker worker;
    private final RecordKeeper keeper;
    private final EventLog eventLog;
    private @Nullable FabricLoop loop;
    private @Nullable AgentServer agents;
    private @Nullable ManagerRingMember ringMember;
    private @Nullable OpenSmBridge opensm;

    EffectPerformer(ManagerConfig.Detector detector, RouteWorker worker, RecordKeeper keeper, EventLog eventLog) {
        this.detector = detector;
        this.worker = worker;
        this.keeper = keeper;
        this.eventLog = eventLog;
    }

    /** The loop and the server know the shell, so the shell learns of them last, before the loop starts. */
    void connect(FabricLoop fabricLoop, AgentServer agentServer, @Nullable ManagerRingMember managerRingMember) {
        loop = fabricLoop;
        agents = agentServer;
        ringMember = managerRingMember;
    }

    /** The same for switches that OpenSM manages, if there are any. */
    void connect(OpenSmBridge bridge) {
        opensm = bridge;
    }

    @Override
    public void accept(Effect effect) {
        if (opensm != null && acceptedBy(opensm, effect)) {
            return;
        }
        if (effect instanceof Effect.Push push) {
            server().push(push);
        } else if (effect instanceof Effect.Tell tell) {
            eventLog.write(tell.note());
        } else if (effect instanceof Effect.Defect defect) {
            eventLog.write(defect.note());
            LOG.error("{}", defect.note().text(), defect.cause());
        } else if (effect instanceof Effect.Compute compute) {
            worker.start(compute, Objects.requireNonNull(loop));
        } else if (effect instanceof Effect.Accept accept) {
            server().accept(accept);
        } else if (effect instanceof Effect.Dismiss dismiss) {
            server().dismiss(dismiss);
        } else if (effect instanceof Effect.QueryPorts query) {
            server().queryPorts(query);
        } else if (effect instanceof Effect.AskThrough asked) {
            server().askThrough(asked);
        } else if (effect instanceof Effect.SendMembership send) {
            sendMembership(send);
        } else if (effect instanceof Effect.NameDestinations news) {
            server().nameDestinations(news);
        } else if (effect instanceof Effect.TellAlternatives news) {
            server().tellAlternatives(news);
        } else if (effect instanceof Effect.Revoke revoke) {
            Objects.requireNonNull(ringMember).revoke(revoke);
        } else if (effect instanceof Effect.Persist persist) {
            keeper.keep(persist);
        } else if (!(effect instanceof Effect.Declined
                || effect instanceof Effect.Done)) { // The loop itself knows who asked.
            throw new IllegalStateException("nobody performs effects of " + effect.getClass());
        }
    }

    @Override
    public void performed() {
        if (opensm != null) {
            opensm.performed();
        }
    }

    /** What else there is for agents is nothing that OpenSM could be told. */
    private static boolean acceptedBy(OpenSmBridge bridge, Effect effect) {
        if (effect instanceof Effect.Push push && bridge.owns(push.session())) {
            bridge.push(push);
        } else if (effect instanceof Effect.Dismiss dismiss && bridge.owns(dismiss.session())) {
            bridge.dismiss(dismiss);
        } else if (effect instanceof Effect.QueryPorts query && bridge.owns(query.session())) {
            bridge.queryPorts(query);
        } else {
            return effect instanceof Effect.Accept accept && bridge.owns(accept.session());
        }
        return true;
    }

    private AgentServer server() {
        return Objects.requireNonNull(agents);
    }

    private void sendMembership(Effect.SendMembership send) {
        Effect.Membership membership = send.membership();
        RingRules rules = detector.rules(membership.members().size());
        if (ringMember != null) {
            ringMember.join(membership, detector.cluster(), rules);
        }
        server().sendMembership(send.sessions(), membership, detector.cluster(), rules);
    }
}
