package io.dmodc.house;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static io.dmodc.house.HouseRules.hasNoCycles;
import static io.dmodc.house.HouseRules.isKnownOnlyTo;
import static io.dmodc.house.HouseRules.knowsNothingOf;
import static io.dmodc.house.HouseRules.knowsOnly;
import static io.dmodc.house.HouseRules.staysPure;

import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/**
 * The dependency rules of docs/ARCHITECTURE.md, one test a rule. A rule that finds no class to ask fails, so a package that moves takes
 * its rule along.
 */
@AnalyzeClasses(packages = "io.dmodc", importOptions = OwnCode.class)
class HouseRulesTest {

    private static final String TOPOLOGY = "io.dmodc.topology..";
    private static final String ROUTING = "io.dmodc.routing..";
    private static final String CHECK = "io.dmodc.routing.check..";
    private static final String TURN_CHECK = "io.dmodc.routing.vtftr.check..";
    private static final String CHANGE = "io.dmodc.routing.change..";
    private static final String PREDICTION = "io.dmodc.routing.prediction..";
    private static final String CYCLES = "io.dmodc.routing.cycles..";
    private static final String TURN_TRAFFIC = "io.dmodc.routing.vtftr.traffic..";
    private static final String DETECTOR = "io.dmodc.detector..";
    /** The package alone: state machines and the order of the ring, without sockets, simulator and trials. */
    private static final String DETECTOR_CORE = "io.dmodc.detector";

    private static final String DETECTOR_PROOF = "io.dmodc.detector.[sim|theory|acceptance|cli]..";
    private static final String DETECTOR_NET = "io.dmodc.detector.net..";
    private static final String DETECTOR_ACCEPTANCE = "io.dmodc.detector.acceptance..";
    private static final String DETECTOR_MAIN = "io.dmodc.detector.cli.Main";
    private static final String SETTINGS = "io.dmodc.settings..";
    private static final String SUBNET = "io.dmodc.subnet..";
    private static final String SOUTHBOUND = "io.dmodc.southbound..";
    private static final String AGENT = "io.dmodc.agent..";
    private static final String PLANE = "io.dmodc.agent.plane..";
    private static final String EXEC = "io.dmodc.agent.exec..";
    private static final String LINUX = "io.dmodc.agent.linux..";
    private static final String CTL = "io.dmodc.ctl..";
    private static final String MANAGER = "io.dmodc.manager..";
    private static final String MANAGER_CORE = "io.dmodc.manager.core..";
    private static final String MANAGER_LOOP = "io.dmodc.manager.loop..";
    private static final String MANAGER_CONGESTION = "io.dmodc.manager.congestion..";
    private static final String MANAGER_OPENSM = "io.dmodc.manager.opensm..";
    private static final String MANAGER_STATE = "io.dmodc.manager.state..";
    private static final String KEYS = "io.dmodc.keys..";
    private static final String DEMO = "io.dmodc.demo..";
    private static final String NETTY = "io.netty..";
    private static final String ARMERIA = "com.linecorp.armeria..";

    private static final String[] ENGINES = {
        "io.dmodc.routing.dmodc..",
        "io.dmodc.routing.dmodk..",
        "io.dmodc.routing.ftree..",
        "io.dmodc.routing.minhop..",
        "io.dmodc.routing.updown..",
        "io.dmodc.routing.vtftr.."
    };

    @ArchTest
    static final ArchRule topologyKnowsNothingAbove = knowsOnly(TOPOLOGY, TOPOLOGY);

    @ArchTest
    static final ArchRule routingKnowsOnlyTopology = knowsOnly(ROUTING, ROUTING, TOPOLOGY);

    @ArchTest
    static final ArchRule detectorKnowsOnlyItself = knowsOnly(DETECTOR, DETECTOR);

    /** What agents and managers run has no simulator in it. */
    @ArchTest
    static final ArchRule onlyToolsKnowTheProof =
            isKnownOnlyTo("io.dmodc..", DETECTOR_PROOF, DETECTOR_PROOF, CTL, DEMO);

    @ArchTest
    static final ArchRule settingsKnowOnlyThemselves = knowsOnly(SETTINGS, SETTINGS);

    /** Daemon and fabricctl look at a subnet through one door. */
    @ArchTest
    static final ArchRule subnetsAreReadWithoutTheDaemon = knowsOnly(SUBNET, SUBNET, ROUTING, TOPOLOGY, SETTINGS);

    @ArchTest
    static final ArchRule southboundKnowsOnlyItself = knowsOnly(SOUTHBOUND, SOUTHBOUND, SETTINGS);

    @ArchTest
    static final ArchRule agentKnowsNoManagerAndNoRouting = knowsNothingOf(AGENT, MANAGER, ROUTING, CTL, ARMERIA);

    @ArchTest
    static final ArchRule planesKnowOnlyTheSwitch = knowsOnly(PLANE, PLANE, SOUTHBOUND, TOPOLOGY);

    @ArchTest
    static final ArchRule programsAreOnlyPlanes = knowsOnly(EXEC, EXEC, PLANE, SOUTHBOUND, TOPOLOGY);

    @ArchTest
    static final ArchRule programsAreSpokenToWithoutNetty = knowsNothingOf(EXEC, NETTY);

    @ArchTest
    static final ArchRule theKernelIsOnlyAPlane = knowsOnly(LINUX, LINUX, PLANE, SOUTHBOUND, TOPOLOGY);

    @ArchTest
    static final ArchRule theKernelIsSpokenToWithoutNetty = knowsNothingOf(LINUX, NETTY);

    /** Settings are read by the settings' own reader. */
    @ArchTest
    static final ArchRule onlyProgramsAreToldJson = isKnownOnlyTo(AGENT, "com.fasterxml.jackson..", EXEC, LINUX);

    @ArchTest
    static final ArchRule ctlKnowsOnlyWhatItComputesWith =
            knowsOnly(CTL, CTL, ROUTING, TOPOLOGY, DETECTOR, SETTINGS, SUBNET);

    @ArchTest
    static final ArchRule ctlSpeaksWithoutArmeriaAndNetty = knowsNothingOf(CTL, ARMERIA, NETTY);

    /** A proof that shared code with what it proves would share its mistakes. */
    @ArchTest
    static final ArchRule checkSharesNoCodeWithEngines =
            knowsNothingOf(CHECK, ENGINES).allowEmptyShould(true);

    /** Nor with what wrote the text it proves. */
    @ArchTest
    static final ArchRule turnCheckSharesNoCodeWithTheEngine = knowsOnly(TURN_CHECK, TURN_CHECK);

    @ArchTest
    static final ArchRule enginesDoNotLeanOnCheck =
            isKnownOnlyTo(ROUTING, CHECK, CHECK, CHANGE, PREDICTION, "io.dmodc.routing.quality..");

    /** What is proven of a change is proven of tables of any engine. */
    @ArchTest
    static final ArchRule changesKnowNoEngine = knowsNothingOf(CHANGE, ENGINES);

    /** What is predicted holds for tables of any engine. */
    @ArchTest
    static final ArchRule predictionsKnowNoEngine = knowsNothingOf(PREDICTION, ENGINES);

    /** Only one engine has a formula to explain. */
    @ArchTest
    static final ArchRule explanationsKnowOneEngine = knowsOnly(
            "io.dmodc.routing.explanation..",
            "io.dmodc.routing",
            "io.dmodc.routing.explanation..",
            "io.dmodc.routing.dmodc..",
            TOPOLOGY);

    /** What it moves entries among is one engine's set of ports. */
    @ArchTest
    static final ArchRule rebalancingKnowsOneEngine = knowsOnly(
            "io.dmodc.routing.rebalance..",
            "io.dmodc.routing",
            "io.dmodc.routing.rebalance..",
            "io.dmodc.routing.quality..",
            "io.dmodc.routing.dmodc..",
            TOPOLOGY);

    /** Packets are simulated offline. */
    @ArchTest
    static final ArchRule onlyToolsSimulatePackets = isKnownOnlyTo("io.dmodc..", CYCLES, CYCLES, TURN_TRAFFIC, CTL);

    @ArchTest
    static final ArchRule onlyToolsLoadGrids = isKnownOnlyTo("io.dmodc..", TURN_TRAFFIC, TURN_TRAFFIC, CTL);

    /** What is simulated are tables of any engine. */
    @ArchTest
    static final ArchRule simulatedPacketsKnowNoEngine = knowsNothingOf(CYCLES, ENGINES);

    @ArchTest
    static final ArchRule managerStateKnowsOnlyMaps = knowsOnly(MANAGER_STATE, MANAGER_STATE, TOPOLOGY);

    @ArchTest
    static final ArchRule managerCoreKnowsOnlyMapsAndTheRing =
            knowsOnly(MANAGER_CORE, MANAGER_CORE, MANAGER_STATE, ROUTING, TOPOLOGY, DETECTOR_CORE);

    @ArchTest
    static final ArchRule onlyTheDemoKnowsTheAgent = isKnownOnlyTo("io.dmodc..", AGENT, AGENT, DEMO);

    @ArchTest
    static final ArchRule nobodyKnowsTheDemo = isKnownOnlyTo("io.dmodc..", DEMO, DEMO);

    @ArchTest
    static final ArchRule demoKnowsTheManagerAgentsAndAllBelow =
            knowsOnly(DEMO, DEMO, MANAGER, AGENT, KEYS, SOUTHBOUND, SUBNET, SETTINGS, DETECTOR, ROUTING, TOPOLOGY);

    /** It stands below the command that starts it. */
    @ArchTest
    static final ArchRule linuxFabricsDoNotKnowTheDemoAbove = knowsNothingOf("io.dmodc.demo.linux..", "io.dmodc.demo");

    /** A daemon that runs has no certificates to make. */
    @ArchTest
    static final ArchRule onlyTheDemoKnowsTheKeysCommand = isKnownOnlyTo("io.dmodc..", KEYS, KEYS, DEMO);

    @ArchTest
    static final ArchRule onlyTheKeysCommandKnowsBouncyCastle = isKnownOnlyTo("io.dmodc..", "org.bouncycastle..", KEYS);

    @ArchTest
    static final ArchRule nettyStaysInTheShells = isKnownOnlyTo(
            "io.dmodc..",
            NETTY,
            SOUTHBOUND,
            AGENT,
            "io.dmodc.manager.southbound..",
            "io.dmodc.manager.northbound..",
            "io.dmodc.manager.app..",
            DEMO);

    @ArchTest
    static final ArchRule armeriaStaysNorth =
            isKnownOnlyTo("io.dmodc..", ARMERIA, "io.dmodc.manager.northbound..", "io.dmodc.manager.app..", DEMO);

    /** What else wants to keep something writes records. */
    @ArchTest
    static final ArchRule mvStoreStaysInTheStore = isKnownOnlyTo("io.dmodc..", "org.h2..", "io.dmodc.manager.store..");

    /** A recording looks on: nothing that decides knows of it. */
    @ArchTest
    static final ArchRule onlyTheShellKnowsRecordings = isKnownOnlyTo(
            "io.dmodc..",
            "io.dmodc.manager.recording..",
            "io.dmodc.manager.recording..",
            "io.dmodc.manager.service..",
            "io.dmodc.manager.app..");

    /** Behind the epochs: it takes snapshots, and nothing that serves the fabric knows of it. */
    @ArchTest
    static final ArchRule congestionIsMeasuredFromSnapshots =
            knowsOnly(MANAGER_CONGESTION, MANAGER_CONGESTION, MANAGER_CORE, MANAGER_LOOP, ROUTING, TOPOLOGY);

    @ArchTest
    static final ArchRule loopDoesNotKnowCongestion = knowsNothingOf(MANAGER_LOOP, MANAGER_CONGESTION);

    /** A subnet manager is another way to switches, beside that of the agents; only what wires the two knows of it. */
    @ArchTest
    static final ArchRule opensmIsReachedWithoutAgents = knowsOnly(
            MANAGER_OPENSM,
            MANAGER_OPENSM,
            MANAGER_CORE,
            MANAGER_LOOP,
            ROUTING,
            TOPOLOGY,
            SETTINGS,
            SUBNET,
            SOUTHBOUND);

    @ArchTest
    static final ArchRule onlyTheServiceKnowsOpenSm =
            isKnownOnlyTo("io.dmodc..", MANAGER_OPENSM, MANAGER_OPENSM, "io.dmodc.manager.service..", DEMO);

    /** It stands below the command that starts it, and there is no agent in it. */
    @ArchTest
    static final ArchRule simulatedSubnetsDoNotKnowTheDemoAbove =
            knowsNothingOf("io.dmodc.demo.ibsim..", "io.dmodc.demo", AGENT);

    /** {@code Parallel} is how threads come in: its parallel stream runs on the pool that was handed to it. */
    @ArchTest
    static final ArchRule topologyAndRoutingStayPure = staysPure(resideInAnyPackage(TOPOLOGY, ROUTING)
            .and(describe("are not Parallel", c -> !c.getName().equals("io.dmodc.routing.Parallel"))));

    /** {@code Main} is where the simulator gets a clock and a console from. */
    @ArchTest
    static final ArchRule detectorCoreStaysPure = staysPure(resideInAPackage(DETECTOR)
            .and(resideOutsideOfPackages(DETECTOR_NET, DETECTOR_ACCEPTANCE))
            .and(describe("are not the program", c -> !c.getName().startsWith(DETECTOR_MAIN))));

    @ArchTest
    static final ArchRule managerCoreStaysPure = staysPure(resideInAnyPackage(MANAGER_CORE, MANAGER_STATE));

    @ArchTest
    static final ArchRule agentCoreStaysPure = staysPure(describe(
                    "are AgentCore or inside it",
                    c -> c.getName().equals("io.dmodc.agent.AgentCore")
                            || c.getName().startsWith("io.dmodc.agent.AgentCore$")))
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule packagesFormNoRound = hasNoCycles("io.dmodc");
}
