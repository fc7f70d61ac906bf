package io.dmodc.manager.core;

import io.dmodc.manager.core.FabricEvent.AcknowledgeAsked;
import io.dmodc.manager.core.FabricEvent.ActAsked;
import io.dmodc.manager.core.FabricEvent.AgentJoined;
import io.dmodc.manager.core.FabricEvent.AgentLeft;
import io.dmodc.manager.core.FabricEvent.CertificatesLooked;
import io.dmodc.manager.core.FabricEvent.ClockSet;
import io.dmodc.manager.core.FabricEvent.ForeignSource;
import io.dmodc.manager.core.FabricEvent.HearingReported;
import io.dmodc.manager.core.FabricEvent.OwnIncarnationRaised;
import io.dmodc.manager.core.FabricEvent.Persisted;
import io.dmodc.manager.core.FabricEvent.PortsReported;
import io.dmodc.manager.core.FabricEvent.RepairReported;
import io.dmodc.manager.core.FabricEvent.RevokeAsked;
import io.dmodc.manager.core.FabricEvent.RevokeHeard;
import io.dmodc.manager.core.FabricEvent.RingReported;
import io.dmodc.manager.core.FabricEvent.Routed;
import io.dmodc.manager.core.FabricEvent.SettingsRead;
import io.dmodc.manager.core.FabricEvent.StoreReported;
import io.dmodc.manager.core.FabricEvent.SubnetManagerReported;
import io.dmodc.manager.core.FabricEvent.TableAcked;
import io.dmodc.manager.core.FabricEvent.TableLost;
import io.dmodc.manager.core.FabricEvent.TableProgressed;
import io.dmodc.manager.core.FabricEvent.TableRefused;
import io.dmodc.manager.core.FabricEvent.TimePassed;
import io.dmodc.manager.core.FabricEvent.TransitReported;
import io.dmodc.manager.core.FabricEvent.WithdrawAsked;
import io.dmodc.manager.core.LoggedEvent.Severity;
import io.dmodc.routing.RoutingResult.Unroutable;
import java.util.List;

/**
 * The manager's decisions: events in, effects out.
 *
 * <p>Several events may be taken in before {@link #settle} is called once: a burst of 500 link faults becomes one
 * computation. Its parts share one {@link FabricState}: agents come and go and report ports ({@link AgentTracker}),
 * the ring is drawn ({@link RingControl}), other managers are outbid or yielded to ({@link LeaderControl}), views are computed and tables accepted ({@link EpochPlanner}), tables are sent and
 * acknowledged ({@link TableDistributor}, {@link PushAnswers}), what is not as it should be is told ({@link AlarmTracker}).
 * Not thread-safe.
 *
 * <p>Mistakes of this program: each part settles behind a guard of its own ({@link GuardedPart}). An event that cannot be
 * taken in throws out of {@link #accept}; the loop drops it and says so here ({@link #dropped}), as ending for it would let
 * one peer's word end the service for all, again after each start.
 */
public final class FabricStep {
    private final FabricState state;
    final TableDistributor distributor;
    private final PushAnswers answers;
    private final EpochPlanner routing;
    private final AgentTracker agents;
    private final RingControl ring;
    private final Forgetting forgetting;
    private final Acknowledging acknowledging;
    private final Acts acts;
    private final LeaderControl leader;

    /** In the order in which they settle. */
    private final List<GuardedPart> parts;

    /** Settings were read again since the last call of {@link #settle}. */
    private boolean askPorts;

    public FabricStep(FabricState state) {
        this.state = state;
        distributor = new TableDistributor(state);
        answers = new PushAnswers(state, distributor);
        routing = new EpochPlanner(state, distributor);
        leader = new LeaderControl(state, distributor);
        agents = new AgentTracker(state, distributor, leader);
        ring = new RingControl(state);
        HostReplacement hostReplacement = new HostReplacement(state);
        forgetting = new Forgetting(state, distributor, hostReplacement);
        acknowledging = new Acknowledging(state);
        acts = new Acts(state, forgetting, new Replacement(state, forgetting, agents::attach), hostReplacement);
        parts = List.of(
                new GuardedPart(
                        "following agents and links",
                        state,
                        this::followAgents,
                        () -> Math.min(
                                leader.nextDeadline(), Math.min(agents.nextDeadline(), state.holdDown.nextDeadline()))),
                new GuardedPart("drawing the ring", state, ring::timePassed, state.ring::nextDeadline),
                new GuardedPart("performing acts", state, acts::timePassed, acts::nextDeadline),
                new GuardedPart("distributing tables", state, distributor::timePassed, distributor::nextDeadline),
                new GuardedPart(
                        "watching slow links",
                        state,
                        (now, effects) -> state.slowLinks.timePassed(now),
                        state.slowLinks::nextDeadline),
                new GuardedPart("planning epochs", state, routing::timePassed, routing::nextDeadline),
                new GuardedPart(
                        "watching what is drained",
                        state,
                        state.drainWatch::timePassed,
                        state.drainWatch::nextDeadline),
                new GuardedPart(
                        "comparing with the inventory",
                        state,
                        (now, effects) -> state.alarms.timePassed(now, effects),
                        () -> state.alarms.nextDeadline()),
                new GuardedPart(
                        "keeping epochs",
                        state,
                        (now, effects) -> state.kept.timePassed(distributor.waitsForStore(), effects),
                        () -> state.kept.nextDeadline()),
                new GuardedPart("keeping alarms", state, this::keepAlarms, () -> Long.MAX_VALUE),
                new GuardedPart("keeping records", state, this::keepRecords, () -> Long.MAX_VALUE),
                new GuardedPart(
                        "showing what is known",
                        state,
                        (now, effects) -> state.snapshots.make(),
                        () -> Long.MAX_VALUE));
    }

    /**
     * Takes one event in.
     *
     * @throws RuntimeException for a mistake in this program: the event is lost, all else goes on
     */
    public void accept(FabricEvent event, List<Effect> effects) {
        if (event instanceof AgentJoined joined) {
            agents.joined(joined, effects);
        } else if (event instanceof AgentLeft left) {
            agents.left(left, effects);
        } else if (event instanceof PortsReported ports) {
            agents.portsReported(ports, effects);
        } else if (event instanceof RingReported report) {
            agents.ringReported(report, effects);
        } else if (event instanceof TransitReported report) {
            agents.transits.reported(report);
        } else if (event instanceof RepairReported report) {
            agents.repaired(report, effects);
        } else if (event instanceof HearingReported report) {
            agents.hearing.reported(report, effects);
        } else if (event instanceof ForeignSource report) {
            agents.hearing.foreignSource(report, effects);
        } else if (event instanceof OwnIncarnationRaised raised) {
            state.ring.raised(raised.incarnation());
        } else if (event instanceof RevokeHeard heard) {
            leader.revokeHeard(heard, effects);
        } else if (event instanceof RevokeAsked asked) {
            ring.revokeAsked(asked, effects);
        } else if (event instanceof TableAcked acked) {
            answers.acked(acked, effects);
        } else if (event instanceof TableRefused refused) {
            answers.refused(refused, effects);
        } else if (event instanceof TableProgressed progress) {
            distributor.underWay.progressed(progress);
        } else if (event instanceof TableLost lost) {
            answers.tableLost(lost, effects);
        } else if (event instanceof Routed routed) {
            routing.routed(routed, effects);
        } else if (event instanceof AcknowledgeAsked asked) {
            acknowledging.asked(asked, effects);
        } else if (event instanceof WithdrawAsked asked) {
            acknowledging.withdrawAsked(asked, effects);
        } else if (event instanceof ActAsked asked) {
            acts.asked(asked, effects);
        } else if (event instanceof SettingsRead read) {
            settingsRead(read, effects);
        } else if (event instanceof Persisted persisted) {
            state.records.persisted(persisted.number());
            leader.persisted(persisted.nowNanos(), effects).forEach(joined -> agents.joined(joined, effects));
        } else if (event instanceof StoreReported report) {
            stored(report, effects);
        } else if (event instanceof CertificatesLooked looked) {
            state.certificatesEnding = looked.ending();
        } else if (event instanceof SubnetManagerReported report) {
            subnetManager(report, effects);
        } else if (event instanceof ClockSet set) {
            acts.clockSet(set, effects);
        } else if (!(event instanceof TimePassed)) {
            throw new IllegalStateException("no part takes events of " + event.getClass());
        }
    }

    /** Draws the consequences of all events taken in since the last call, and of the time that passed. */
    public void settle(long nowNanos, List<Effect> effects) {
        state.settledNanos = nowNanos;
        for (GuardedPart part : parts) {
            part.timePassed(nowNanos, effects);
        }
    }

    /** {@link #accept} threw: says so. */
    public void dropped(FabricEvent event, RuntimeException cause, List<Effect> effects) {
        tellDropped("event", event, cause, event.nowNanos(), effects);
    }

    /** An effect could not be performed: says so. A computation that could not be started counts as one that failed. */
    public void notPerformed(Effect effect, RuntimeException cause, long nowNanos, List<Effect> effects) {
        tellDropped("effect", effect, cause, nowNanos, effects);
        if (effect instanceof Effect.Compute compute) {
            Unroutable failed = new Unroutable("not computed: " + Defects.text(cause));
            routing.routed(new Routed(nowNanos, compute.view().epoch(), failed, new long[0], null, 0, 0), effects);
        }
    }

    private void tellDropped(String kind, Object what, RuntimeException cause, long nowNanos, List<Effect> effects) {
        String text = kind + " " + what.getClass().getSimpleName() + " (" + Defects.text(cause) + ")";
        state.defects.dropped(text);
        effects.add(new Effect.Defect(
                new LoggedEvent(
                        nowNanos,
                        state.epoch,
                        Severity.ALARM,
                        LoggedEvent.Kind.DEFECT,
                        0,
                        "defect: dropped, as it could not be dealt with: " + text),
                cause));
    }

    private void followAgents(long nowNanos, List<Effect> effects) {
        if (askPorts) {
            askPorts = false;
            agents.askAllPorts(effects);
        }
        leader.timePassed(nowNanos).forEach(joined -> agents.joined(joined, effects));
        agents.attach(nowNanos, effects);
        forgetting.goOn(nowNanos, effects);
        routing.discover(nowNanos, effects);
        agents.timePassed(nowNanos, effects);
    }

    private void keepAlarms(long nowNanos, List<Effect> effects) {
        state.alarms.compareDefects(nowNanos);
        state.alarms.recordChanges();
    }

    private void keepRecords(long nowNanos, List<Effect> effects) {
        distributor.recordChanges();
        state.records.flush(effects);
    }

    private void settingsRead(SettingsRead read, List<Effect> effects) {
        FabricRules rules = read.rules();
        if (rules != null) {
            state.rules = rules;
            state.identity.nodes.numberBy(rules.nodeTypes());
            state.holdDown.follow(rules);
            state.slowLinks.ruleChanged();
            state.ring.follow(rules, read.nowNanos());
        }
        Severity severity = rules == null ? Severity.WARNING : Severity.INFO;
        effects.add(new Effect.Tell(new LoggedEvent(
                read.nowNanos(), state.epoch, severity, LoggedEvent.Kind.SETTINGS_READ, 0, read.text())));
        askPorts = true;
    }

    /** Each trouble is told when it comes, and once that all are over. */
    private void subnetManager(SubnetManagerReported report, List<Effect> effects) {
        List<String> before = state.subnetManagerTroubles;
        report.troubles().stream()
                .filter(trouble -> !before.contains(trouble))
                .forEach(trouble -> tellSubnetManager(report, Severity.ALARM, trouble, effects));
        if (report.troubles().isEmpty() && !before.isEmpty()) {
            tellSubnetManager(report, Severity.INFO, "OpenSM takes the tables again", effects);
        }
        state.subnetManagerTroubles = report.troubles();
        state.subnetManagerStopped = report.stopped();
        state.subnetManaged = true;
    }

    private void tellSubnetManager(SubnetManagerReported report, Severity severity, String text, List<Effect> effects) {
        effects.add(new Effect.Tell(
                new LoggedEvent(report.nowNanos(), state.epoch, severity, LoggedEvent.Kind.SUBNET_MANAGER, 0, text)));
    }

    /** Told once when the disk begins to refuse, and once when it takes again what must be kept. */
    private void stored(StoreReported report, List<Effect> effects) {
        boolean failed = !report.failure().isEmpty();
        if (failed != !state.storeFailure.isEmpty()) {
            effects.add(new Effect.Tell(new LoggedEvent(
                    report.nowNanos(),
                    state.epoch,
                    failed ? Severity.ALARM : Severity.INFO,
                    LoggedEvent.Kind.STATE_STORE,
                    0,
                    failed ? report.failure() : "state is kept again")));
        }
        state.storeFailure = report.failure();
        boolean hostsWait = !state.records.nodesUnderWay().isEmpty();
        boolean levelsWait = !state.records.levelsPersisted();
        // Those of a view that is being computed are looked at when its tables come.
        boolean planesWait =
                state.computing == 0 && !state.records.planesUnderWay().isEmpty();
        if (failed && (hostsWait || levelsWait || planesWait)) {
            String who = hostsWait ? "new hosts" : levelsWait ? "new switches" : "new plane numbers";
            state.news.add(report.nowNanos(), who + " are left out while state is not kept");
        } else if (!failed && state.identity.nodes.closed()) {
            state.news.add(report.nowNanos(), "state is kept again");
        }
    }

    /** When {@link #settle} must be called at the latest although nothing happened; {@code Long.MAX_VALUE}: never. */
    public long nextDeadline() {
        long next = Long.MAX_VALUE;
        for (GuardedPart part : parts) {
            next = Math.min(next, part.nextDeadline());
        }
        return next;
    }
}
