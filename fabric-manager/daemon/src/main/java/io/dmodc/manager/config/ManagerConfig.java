package io.dmodc.manager.config;

import io.dmodc.detector.Overlay;
import io.dmodc.detector.RingRules;
import io.dmodc.manager.core.FabricRules;
import io.dmodc.manager.core.RebalanceRule;
import io.dmodc.manager.core.SwitchDomains;
import io.dmodc.manager.southbound.AgentServer;
import io.dmodc.manager.southbound.Network;
import io.dmodc.settings.Hex;
import io.dmodc.settings.HostPort;
import io.dmodc.settings.Range;
import io.dmodc.southbound.tls.Authentication;
import io.dmodc.southbound.tls.TlsFiles;
import io.dmodc.subnet.OpenSmSettings;
import io.dmodc.topology.GroupOrder;
import io.dmodc.topology.NodeTypes;
import io.dmodc.topology.pgft.PgftShape;
import io.dmodc.topology.rates.SlowLinkUse;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Everything {@code fabric-manager.yaml} can say; {@code conf/fabric-manager.yaml} shows it with comments.
 *
 * @param stateDir where node indices, levels and the leader epoch are kept over a restart
 */
public record ManagerConfig(
        Path stateDir,
        Southbound southbound,
        Northbound northbound,
        Routing routing,
        Detector detector,
        Discovery discovery,
        Push push,
        Links links,
        Fabric fabric,
        Recording recording,
        Quality quality,
        Manager manager) {

    private static final Duration MILLISECOND = Duration.ofMillis(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration HOUR = Duration.ofHours(1);

    /** Settings that allow no switch beyond those that cables tie to the fabric, record no events, measure congestion, and draw the manager's number. */
    public ManagerConfig(
            Path stateDir,
            Southbound southbound,
            Northbound northbound,
            Routing routing,
            Detector detector,
            Discovery discovery,
            Push push,
            Links links) {
        this(
                stateDir,
                southbound,
                northbound,
                routing,
                detector,
                discovery,
                push,
                links,
                Fabric.defaults(),
                Recording.defaults(),
                Quality.defaults(),
                Manager.defaults());
    }

    /** The values of an empty file. */
    public static ManagerConfig defaults() {
        return new ManagerConfig(
                Path.of("/var/lib/fabric-manager"),
                Southbound.defaults(),
                Northbound.defaults(),
                Routing.defaults(),
                Detector.defaults(),
                Discovery.defaults(),
                Push.defaults(),
                Links.defaults());
    }

    /**
     * Where agents connect.
     *
     * @param keepAlive how often either side must be heard; three misses end a session
     * @param sessionsPerAddress most connections of one address at a time; an agent has one, and another while it comes
     *     back before the end of the first was noticed
     * @param authentication whether manager and agents show each other certificates
     * @param keys with which they do
     * @param opensm switches that OpenSM loads tables into, beside or instead of those with agents, or null
     */
    public record Southbound(
            HostPort listen,
            Duration keepAlive,
            int sessionsPerAddress,
            Authentication authentication,
            TlsFiles keys,
            @Nullable OpenSmSettings opensm) {
        public Southbound {
            Range.check("keep-alive", keepAlive, Duration.ofMillis(100), MINUTE);
            Range.check("sessions-per-address", sessionsPerAddress, 1, AgentServer.SESSIONS_MAX);
        }

        /** Only switches with agents. */
        public Southbound(
                HostPort listen,
                Duration keepAlive,
                int sessionsPerAddress,
                Authentication authentication,
                TlsFiles keys) {
            this(listen, keepAlive, sessionsPerAddress, authentication, keys, null);
        }

        public static Southbound defaults() {
            return new Southbound(
                    new HostPort("0.0.0.0", 7470),
                    Duration.ofSeconds(2),
                    64,
                    Authentication.CERTIFICATE,
                    TlsFiles.defaults());
        }
    }

    /** Where administrators connect; loopback unless told otherwise, because it asks for no password. */
    public record Northbound(HostPort listen) {
        public static Northbound defaults() {
            return new Northbound(new HostPort("127.0.0.1", 7480));
        }
    }

    /**
     * How tables are made.
     *
     * @param fallback tried when the engine makes no tables that pass the check, or null: the switches keep theirs then
     * @param roots file of GUIDs, one a line: the root switches for {@code updn}, which looks for them itself if none
     *     are named
     * @param threads workers; 0 for as many as the machine has cores
     * @param settle how long to wait for more bad news before computing, because a dying switch is many links that die
     *     within a moment; good news waits in {@link Links}
     * @param groupOrder in which engine {@code dmodc} counts port groups
     * @param nodeTypes file of types of hosts, by which new ones are numbered, or null
     * @param design the PGFT the fabric is meant to be, or null: levels are learnt then
     * @param rebalance when entries may be moved to where shifts press less
     * @param rebalanceBlocks most blocks of 64 entries that may differ by that from what the engine makes; 0: as many as are asked
     *     for, a twentieth if none are
     * @param slowLinks whether routes may use links slower than most between the same two ranks
     */
    public record Routing(
            Engine engine,
            @Nullable Fallback fallback,
            @Nullable Path roots,
            int threads,
            Duration settle,
            GroupOrder groupOrder,
            @Nullable Path nodeTypes,
            @Nullable String design,
            RebalanceRule.Policy rebalance,
            int rebalanceBlocks,
            SlowLinkUse slowLinks) {
        /** Blocks of 16,384 switches of 65,536 nodes. */
        private static final int REBALANCE_BLOCKS_MAX = 1 << 24;

        public Routing {
            if (fallback != null && fallback.name().equals(engine.name())) {
                throw new IllegalArgumentException(
                        "fallback: '" + fallback.text() + "' is the engine already; expected another one");
            }
            if (fallback != null && engine.isForGrids()) {
                throw new IllegalArgumentException("fallback: '" + fallback.text()
                        + "' is for fat-trees; expected none with engine " + engine.text());
            }
            if (design != null && engine.isForGrids()) {
                throw new IllegalArgumentException(
                        "design: '" + design + "' is a fat-tree; expected none with engine " + engine.text());
            }
            if (roots != null && engine != Engine.UPDN && fallback != Fallback.UPDN) {
                throw new IllegalArgumentException("roots: '" + roots + "' is only for engine updn or fallback updn");
            }
            if (design != null) {
                PgftShape.parse(design);
            }
            if (rebalance == RebalanceRule.Policy.QUIET && engine != Engine.DMODC && engine != Engine.DMODC_STRICT) {
                throw new IllegalArgumentException(
                        "rebalance: 'quiet' with engine " + engine.text() + "; expected engine dmodc or dmodc-strict");
            }
            Range.check("rebalance-blocks", rebalanceBlocks, 0, REBALANCE_BLOCKS_MAX);
            Range.check("threads", threads, 0, 1024);
            Range.check("settle", settle, Duration.ZERO, MINUTE);
        }

        public static Routing defaults() {
            return new Routing(
                    Engine.DMODC,
                    null,
                    null,
                    0,
                    Duration.ofMillis(2),
                    GroupOrder.PLANE,
                    null,
                    null,
                    RebalanceRule.STANDARD.policy(),
                    RebalanceRule.STANDARD.blocksMost(),
                    SlowLinkUse.IGNORE);
        }
    }

    /** The engines a daemon may run. */
    public enum Engine {
        DMODC,
        DMODC_STRICT,
        DMODC_PLAIN,
        MINHOP,
        UPDN,
        VTFTR,
        VTFTR_PAIRWISE;

        /** For grids; all others are for fat-trees. */
        public boolean isForGrids() {
            return this == VTFTR || this == VTFTR_PAIRWISE;
        }

        /** As operators write it. */
        public String text() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /** Engines that find tables of some kind in any fabric, or in most. */
    public enum Fallback {
        MINHOP,
        UPDN;

        /** As operators write it. */
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * The heartbeat ring of the agents and the manager.
     *
     * @param cluster in every datagram, so that the rings of two fabrics on one network do not mix
     * @param heartbeat η
     * @param suspicion δ
     * @param askingWidth how many members further back are asked at the same time after a re-connection
     * @param opinions how many neighbours of a suspect are asked about it before it is accused
     * @param overlay how news travels
     * @param ringSeed orders the ring
     * @param domains file of what may fail as one, {@code guid kind domain} a line; null: only pods, from the cables
     * @param membershipQuiet how long joins are collected before agents are told a new ring
     * @param enabled whether the manager takes a place of its own
     * @param listen where it receives heartbeats; with a wildcard, agents send them to where their session leads
     * @param authentication whether datagrams carry a code that only holders of the key can make
     * @param keyFile the key, the same for the manager and all agents
     */
    public record Detector(
            int cluster,
            Duration heartbeat,
            Duration suspicion,
            AskingWidth askingWidth,
            int opinions,
            Overlay.Kind overlay,
            long ringSeed,
            @Nullable Path domains,
            Duration membershipQuiet,
            boolean enabled,
            HostPort listen,
            RingAuthentication authentication,
            Path keyFile,
            List<Network> networks) {
        public Detector {
            Range.check("heartbeat", heartbeat, Duration.ofMillis(5), MINUTE);
            Range.check("suspicion", suspicion, heartbeat.multipliedBy(2), HOUR);
            Range.check("opinions", opinions, 0, RingRules.OPINIONS_MAX);
            Range.check("membership-quiet", membershipQuiet, MILLISECOND, MINUTE);
        }

        public static Detector defaults() {
            return new Detector(
                    1,
                    Duration.ofNanos(RingRules.HEARTBEAT_STANDARD_NANOS),
                    Duration.ofNanos(RingRules.SUSPICION_STANDARD_NANOS),
                    AskingWidth.AUTO,
                    RingRules.OPINIONS_STANDARD,
                    Overlay.Kind.BINOMIAL,
                    1,
                    null,
                    Duration.ofMillis(500),
                    true,
                    new HostPort("0.0.0.0", 7471),
                    RingAuthentication.KEY,
                    Path.of("/etc/fabric-manager/keys/detector.key"),
                    List.of());
        }

        /** True if an agent may take part with this address although its session comes from another. */
        public boolean allows(InetAddress address) {
            return networks.stream().anyMatch(network -> network.contains(address));
        }

        /** What all members are told of how a ring of that many runs. */
        public RingRules rules(int memberCount) {
            return new RingRules(
                    heartbeat.toNanos(), suspicion.toNanos(), askingWidth.forMembers(memberCount), opinions, overlay);
        }
    }

    /** Who may speak in the ring. */
    public enum RingAuthentication {
        /** Whoever holds the key. */
        KEY,
        /** Everybody who reaches a socket. */
        OFF
    }

    /**
     * The time after a start, before the first tables are computed.
     *
     * @param quiet how long no agent must have joined or reported
     * @param timeout how long to wait at most for switches known from before
     */
    public record Discovery(Duration quiet, Duration timeout) {
        public Discovery {
            Range.check("quiet", quiet, MILLISECOND, MINUTE);
            Range.check("timeout", timeout, quiet, HOUR);
        }

        public static Discovery defaults() {
            return new Discovery(Duration.ofSeconds(2), Duration.ofSeconds(15));
        }
    }

    /**
     * Sending tables.
     *
     * @param ackTimeout how long a push may stay unanswered before it is repeated; doubles with each try
     * @param tries how often it is sent before the agent is flagged and dismissed
     * @param drain how long a packet that was sent may stay in the fabric, if that is known
     * @param minimumConnected percent of the switches that forward of which an agent must be connected for anything to be
     *     sent
     */
    public record Push(Duration ackTimeout, int tries, DrainTime drain, int minimumConnected) {
        public Push {
            Range.check("ack-timeout", ackTimeout, Duration.ofMillis(10), MINUTE);
            Range.check("tries", tries, 1, 100);
            Range.check("minimum-connected", minimumConnected, 0, 100);
        }

        public static Push defaults() {
            return new Push(Duration.ofSeconds(1), 5, new DrainTime(Duration.ofSeconds(1)), 50);
        }
    }

    /**
     * Links that come back.
     *
     * @param holdDown how long after its first flap a link must stay up to be used again; doubles with each flap
     * @param holdDownMax where the doubling ends
     * @param flapMemory how long a link must stay quiet for its flaps to be forgotten
     */
    public record Links(Duration holdDown, Duration holdDownMax, Duration flapMemory) {
        public Links {
            Range.check("hold-down", holdDown, Duration.ZERO, HOUR);
            Range.check("hold-down-max", holdDownMax, holdDown, HOUR);
            Range.check("flap-memory", flapMemory, MILLISECOND, Duration.ofDays(1));
        }

        public static Links defaults() {
            return new Links(Duration.ofSeconds(1), Duration.ofMinutes(5), Duration.ofMinutes(10));
        }
    }

    /**
     * Which switches belong to the fabric.
     *
     * @param allow GUIDs of switches that count although no cable ties them to others
     */
    public record Fabric(@Hex List<Long> allow) {
        /** As many switches as a manager takes connections. */
        private static final int ALLOW_MAX = 16_384;

        public Fabric {
            if (allow.size() > ALLOW_MAX) {
                throw new IllegalArgumentException(
                        "allow: " + allow.size() + " switches, expected at most " + ALLOW_MAX);
            }
            allow = List.copyOf(allow);
        }

        public static Fabric defaults() {
            return new Fabric(List.of());
        }
    }

    /**
     * What the core is told, written down so that it can be replayed.
     *
     * @param directory of the recordings, one for each run; null: nothing is recorded
     * @param megabytes where a recording ends
     * @param files most recordings in the directory; the oldest are thrown away
     */
    public record Recording(@Nullable Path directory, int megabytes, int files) {
        public Recording {
            Range.check("megabytes", megabytes, 1, 1 << 20);
            Range.check("files", files, 1, 10_000);
        }

        public static Recording defaults() {
            return new Recording(null, 256, 8);
        }
    }

    /**
     * What is measured of the tables in force.
     *
     * @param live whether their congestion risk is, whenever there is time
     */
    public record Quality(boolean live) {
        public static Quality defaults() {
            return new Quality(true);
        }
    }

    /**
     * Which of several managers this one is.
     *
     * @param number differs between managers that may run at the same time
     */
    public record Manager(ManagerNumber number) {
        public static Manager defaults() {
            return new Manager(ManagerNumber.AUTO);
        }
    }

    /**
     * What the core needs to know of all this.
     *
     * @param domains what the file named by {@link Detector#domains} says
     * @param nodeTypes what the file named by {@link Routing#nodeTypes} says
     */
    public FabricRules rules(SwitchDomains domains, NodeTypes nodeTypes) {
        return new FabricRules(
                push.ackTimeout.toNanos(),
                push.tries,
                push.drain.nanos(),
                links.holdDown.toNanos(),
                links.holdDownMax.toNanos(),
                links.flapMemory.toNanos(),
                routing.settle.toNanos(),
                discovery.quiet.toNanos(),
                discovery.timeout.toNanos(),
                push.minimumConnected,
                detector.membershipQuiet.toNanos(),
                detector.ringSeed,
                domains,
                routing.groupOrder,
                nodeTypes,
                design(),
                new RebalanceRule(routing.rebalance, routing.rebalanceBlocks),
                routing.slowLinks);
    }

    /** The PGFT the fabric is meant to be, if one is named. */
    public @Nullable PgftShape design() {
        return routing.design == null ? null : PgftShape.parse(routing.design);
    }
}
