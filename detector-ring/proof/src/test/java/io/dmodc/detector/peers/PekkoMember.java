package io.dmodc.detector.peers;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Address;
import org.apache.pekko.actor.BootstrapSetup;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.actor.Props;
import org.apache.pekko.actor.setup.ActorSystemSetup;
import org.apache.pekko.cluster.Cluster;
import org.apache.pekko.cluster.ClusterEvent;
import org.apache.pekko.cluster.UniqueAddress;
import org.apache.pekko.remote.RemoteActorRefProvider;
import org.apache.pekko.remote.RemoteTransport;
import org.apache.pekko.remote.transport.ThrottlerTransportAdapter;
import scala.reflect.ClassTag;

/**
 * One Pekko actor system with its cluster extension: Artery over TCP on loopback, phi-accrual failure detection of up to
 * nine others, and gossip that tells the rest.
 *
 * <p>All periods that are a second by default, those of heartbeats, of looking at phi and of gossip, are the heartbeat
 * period here, and the deviation phi is reckoned with at least is a tenth of it, as by default. The pause on top of the
 * mean is such that phi passes its threshold of 8 when the budget of silence has gone by since the last answer. Artery's
 * test mode, made for Pekko's own tests of partitions, is how a member falls silent. Each system gets few threads, as
 * many share the machine, and a minute for what a busy machine makes wait: connections that are given up cost members.
 */
final class PekkoMember implements AutoCloseable {
    private static final String CLUSTER = "peers";

    private static final String SYSTEM = """
            pekko {
              loglevel = ERROR
              stdout-loglevel = ERROR
              log-dead-letters = off
              jvm-shutdown-hooks = off
              coordinated-shutdown { run-by-actor-system-terminate = off, terminate-actor-system = off }
              actor {
                provider = cluster
                default-dispatcher.fork-join-executor { parallelism-min = 1, parallelism-max = 2 }
                internal-dispatcher.fork-join-executor { parallelism-min = 1, parallelism-max = 2 }
              }
              io.tcp.register-timeout = 1 minute
              remote.default-remote-dispatcher.fork-join-executor { parallelism-min = 1, parallelism-max = 2 }
              remote.artery {
                transport = tcp
                canonical { hostname = "127.0.0.1", port = 0 }
                advanced { test-mode = on, inbound-lanes = 1, instruments = ["%s"],
                  handshake-timeout = 1 minute, tcp.connection-timeout = 1 minute, shutdown-flush-timeout = 10 ms }
              }
            }
            """;

    private static final String DETECTION = """
            pekko.cluster {
              jmx.enabled = off
              run-coordinated-shutdown-when-down = off
              periodic-tasks-initial-delay = %1$d ms
              gossip-interval = %1$d ms
              gossip-time-to-live = %2$d ms
              leader-actions-interval = %1$d ms
              unreachable-nodes-reaper-interval = %1$d ms
              failure-detector {
                implementation-class = "%5$s"
                heartbeat-interval = %1$d ms
                threshold = 8.0
                min-std-deviation = %3$d us
                acceptable-heartbeat-pause = %4$d us
              }
            }
            """;

    /** An object of Scala's inside an object, which Java has no name for. */
    private static final String BOTH_DIRECTIONS =
            "org.apache.pekko.remote.transport.ThrottlerTransportAdapter$Direction$Both$";

    private final PekkoMessageCounts counts = new PekkoMessageCounts();
    private final ActorSystem system;
    private final Cluster cluster;
    private volatile int reachable;

    /** @param onUnreachable hears, on a thread of the system, whom this member holds unreachable from now on */
    PekkoMember(PeerTiming timing, Consumer<Address> onUnreachable) {
        system = ActorSystem.create(CLUSTER, ActorSystemSetup.create(BootstrapSetup.create(settings(timing)), counts));
        cluster = Cluster.get(system);
        system.actorOf(Props.create(Listener.class, () -> new Listener(onUnreachable)));
    }

    private static Config settings(PeerTiming timing) {
        int heartbeatMillis = timing.heartbeatMillis();
        return ConfigFactory.parseString(SYSTEM.formatted(PekkoMessageCounts.Instrument.class.getName()))
                .withFallback(ConfigFactory.parseString(DETECTION.formatted(
                        heartbeatMillis,
                        2 * heartbeatMillis,
                        100 * heartbeatMillis,
                        pauseMicros(timing),
                        PekkoDetector.class.getName())))
                .withFallback(ConfigFactory.load());
    }

    /** Phi passes 8 at mean + pause + 5.2 deviations, which is δ if answers come every η and deviate by less than η / 10. */
    private static long pauseMicros(PeerTiming timing) {
        return Math.max(0, 1_000L * timing.silenceMillis() - 1_500L * timing.heartbeatMillis());
    }

    Address address() {
        return cluster.selfAddress();
    }

    /** Asks the member at that address to be taken in; the first member asks itself. */
    void join(Address contact) {
        cluster.join(contact);
    }

    /** How many members this one holds to be in the cluster and reachable, itself among them. */
    int reachable() {
        return reachable;
    }

    /** Has the cluster forget an unreachable member; until then it takes nobody in. */
    void takeOut(Address address) {
        cluster.down(address);
    }

    /** From now on nothing passes between this member and those at the addresses; connections stay open. */
    @SuppressWarnings("deprecation") // of the older transport that the command was made for; Artery obeys it as well
    void fallSilent(Collection<Address> others) {
        ExtendedActorSystem extended = (ExtendedActorSystem) system;
        RemoteTransport transport = ((RemoteActorRefProvider) extended.provider()).transport();
        ThrottlerTransportAdapter.Direction both = extended.dynamicAccess()
                .getObjectFor(
                        BOTH_DIRECTIONS,
                        ClassTag.<ThrottlerTransportAdapter.Direction>apply(ThrottlerTransportAdapter.Direction.class))
                .get();
        for (Address other : others) {
            transport.managementCommand(new ThrottlerTransportAdapter.SetThrottle(
                    other, both, ThrottlerTransportAdapter.Blackhole$.MODULE$));
        }
    }

    long sent() {
        return counts.sent();
    }

    long received() {
        return counts.received();
    }

    /** Complete when the system is gone. */
    CompletionStage<?> ended() {
        return system.getWhenTerminated();
    }

    /** Begins the end of the system, of which nobody is told. */
    @Override
    public void close() {
        system.terminate();
    }

    /** Follows the cluster as this member sees it. */
    private final class Listener extends AbstractActor {
        private final Consumer<Address> onUnreachable;
        private final Set<UniqueAddress> up = new HashSet<>();
        private final Set<UniqueAddress> unreachable = new HashSet<>();

        Listener(Consumer<Address> onUnreachable) {
            this.onUnreachable = onUnreachable;
        }

        @Override
        public void preStart() {
            cluster.subscribe(
                    getSelf(),
                    ClusterEvent.initialStateAsEvents(),
                    ClusterEvent.MemberUp.class,
                    ClusterEvent.MemberRemoved.class,
                    ClusterEvent.ReachabilityEvent.class);
        }

        @Override
        public Receive createReceive() {
            return receiveBuilder()
                    .match(ClusterEvent.UnreachableMember.class, event -> {
                        onUnreachable.accept(event.member().address());
                        unreachable.add(event.member().uniqueAddress());
                        count();
                    })
                    .match(ClusterEvent.ReachableMember.class, event -> {
                        unreachable.remove(event.member().uniqueAddress());
                        count();
                    })
                    .match(ClusterEvent.MemberUp.class, event -> {
                        up.add(event.member().uniqueAddress());
                        count();
                    })
                    .match(ClusterEvent.MemberRemoved.class, event -> {
                        up.remove(event.member().uniqueAddress());
                        unreachable.remove(event.member().uniqueAddress());
                        count();
                    })
                    .build();
        }

        private void count() {
            reachable = (int)
                    up.stream().filter(member -> !unreachable.contains(member)).count();
        }
    }
}
