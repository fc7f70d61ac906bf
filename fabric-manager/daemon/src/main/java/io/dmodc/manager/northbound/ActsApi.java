package io.dmodc.manager.northbound;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.dmodc.manager.core.Act;
import io.dmodc.manager.core.Act.Verb;
import io.dmodc.manager.core.FabricEvent.ActAsked;
import io.dmodc.manager.core.FabricSnapshot;
import io.dmodc.manager.loop.ActPlanning;
import io.dmodc.manager.loop.ActPlanning.Planned;
import io.dmodc.manager.loop.ActPlanning.Wanted;
import io.dmodc.manager.loop.DeclinedException;
import io.dmodc.manager.loop.EngineChoice;
import io.dmodc.manager.northbound.answer.IntentAnswer;
import io.dmodc.manager.northbound.answer.PlanAnswer;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.PortPlace;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Acts of operators: each is planned, which shows what it would do, and then applied, unless the fabric has moved on since. A
 * pause needs no plan.
 */
final class ActsApi implements AutoCloseable {
    /** What can be planned. */
    private static final List<String> ACTS =
            List.of("drain", "undrain", "engine", "rollback", "rebalance", "replace", "forget", "what-if");

    /** Plans kept to be applied; the oldest goes first. */
    private static final int PLANS_MAX = 64;

    /** Plans that wait to be made; the next one is refused. */
    static final int WAITING_MAX = 8;

    /** Beyond, congestion is measured only when it is asked for: it would take many seconds. */
    private static final int CONGESTION_NODES_MAX = 16_384;

    private static final Duration PAUSE_MAX = Duration.ofDays(30);

    /** A plan of a large fabric takes longer than other answers. */
    private static final Duration PLANNED_WITHIN = Duration.ofMinutes(2);

    private final LoopClient loop;
    private final ActPlanning planning;
    private final UnsentAnswers unsent;
    private final SecureRandom random = new SecureRandom();

    /** Not the workers that answer all else: a plan of a large fabric takes them a minute, and who waits for one asks again. */
    private final ThreadPoolExecutor planner = new ThreadPoolExecutor(
            1, 1, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(WAITING_MAX), ActsApi::planningThread);

    /** By id, oldest first. */
    private final Map<String, Kept> plans = new LinkedHashMap<>();

    ActsApi(LoopClient loop, ActPlanning planning, UnsentAnswers unsent) {
        this.loop = loop;
        this.planning = planning;
        this.unsent = unsent;
    }

    private static Thread planningThread(Runnable work) {
        Thread thread = new Thread(work, "act-planning");
        thread.setDaemon(true);
        return thread;
    }

    /**
     * What is left of a plan once it was answered: without the fabric and the tables it predicts, of which {@value #PLANS_MAX} would not fit
     * into the memory of a manager of a large fabric.
     *
     * @param act that is to be applied; {@code null} if it was only asked what if
     * @param applicable false if it would leave no tables that pass the check; true without a check where there are no tables to lose
     */
    private record Kept(Wanted wanted, @Nullable Act act, long epoch, boolean applicable, PlanAnswer answer) {}

    /** What is sent to plan something; what is not there stays as it is here. */
    private static final class PlanBody {
        @JsonProperty
        @JsonSetter(nulls = Nulls.FAIL)
        private String act = "";

        @JsonProperty
        @JsonSetter(nulls = Nulls.FAIL, contentNulls = Nulls.FAIL)
        private List<String> switches = List.of();

        @JsonProperty
        @JsonSetter(nulls = Nulls.FAIL, contentNulls = Nulls.FAIL)
        private List<String> links = List.of();

        /** To be forgotten, or replaced. */
        @JsonProperty
        @JsonSetter(nulls = Nulls.FAIL, contentNulls = Nulls.FAIL)
        private List<String> nodes = List.of();

        @JsonProperty
        @JsonSetter(nulls = Nulls.FAIL)
        private String engine = "";

        /** Of an engine. */
        @JsonProperty
        private boolean quiesce;

        /** Of a rollback; 0: not there. */
        @JsonProperty
        private long epoch;

        /** Of a rebalance; not there: as many as the settings say. */
        @JsonProperty
        private @Nullable Integer blocks;

        @JsonProperty
        private @Nullable Boolean congestion;
    }

    /** What is sent with an act that is applied. */
    private static final class Given {
        @JsonProperty
        @JsonSetter(nulls = Nulls.FAIL)
        private String by = "";

        @JsonProperty
        @JsonSetter(nulls = Nulls.FAIL)
        private String why = "";

        /** Of a pause; not there: until it is resumed. */
        @JsonProperty
        private @Nullable Long seconds;

        /** Of a pause. */
        @JsonProperty
        private boolean faultsEndIt;
    }

    void addTo(Routes routes) {
        routes.add(FabricApi.PREFIX + "/plans", this::plan, HttpMethod.POST);
        routes.get(FabricApi.PREFIX + "/plans/{plan}", this::show);
        routes.add(FabricApi.PREFIX + "/plans/{plan}/apply", this::apply, HttpMethod.POST);
        routes.add(FabricApi.PREFIX + "/plans/{plan}/renew", this::renew, HttpMethod.POST);
        routes.add(FabricApi.PREFIX + "/pause", this::pause, HttpMethod.POST);
        routes.add(FabricApi.PREFIX + "/resume", this::resume, HttpMethod.POST);
    }

    private HttpResponse plan(ServiceRequestContext context, HttpRequest request) {
        Parameters.none(context);
        context.setRequestTimeout(PLANNED_WITHIN);
        String expected = "{\"act\": \"drain\", \"switches\": [\"name or GUID\"], \"links\": [\"SWITCH:PORT\"]},"
                + " or one of undrain, forget (nodes, too) and what-if, {\"act\": \"replace\", \"switches\" or \"nodes\": [\"old\", \"new\"]},"
                + " {\"act\": \"engine\", \"engine\": \"name\", \"quiesce\": false}, {\"act\": \"rebalance\", \"blocks\": 64}, or {\"act\": \"rollback\", \"epoch\": 41}";
        return HttpResponse.of(Command.body(context, request, PlanBody.class, expected)
                .thenCompose(body -> {
                    // What cannot be planned is refused at once, not when those before it are made.
                    wanted(loop.snapshot(), body);
                    return later(context, fabric -> planned(fabric, wanted(fabric, body)));
                }));
    }

    /** One plan after the other; none for whose request it is too late. */
    private CompletableFuture<HttpResponse> later(
            ServiceRequestContext context, Function<FabricSnapshot, PlanAnswer> plan) {
        try {
            return CompletableFuture.supplyAsync(
                    () -> {
                        if (context.isCancelled()) {
                            throw RequestRefused.unavailable("it took too long until this plan could be begun");
                        }
                        return TaggedAnswers.passing(plan.apply(loop.snapshot()));
                    },
                    planner);
        } catch (RejectedExecutionException e) {
            throw RequestRefused.unavailable(
                    WAITING_MAX + " plans wait to be made, each for the one before it; ask again in a minute");
        }
    }

    private PlanAnswer planned(FabricSnapshot fabric, Wanted wanted) {
        Planned planned;
        try {
            planned = planning.plan(fabric, wanted);
        } catch (DeclinedException e) {
            throw RequestRefused.conflict(String.valueOf(e.getMessage()));
        }
        String id = String.format("%08x", random.nextInt());
        PlanAnswer answer = PlanAnswer.of(id, planned, fabric);
        Kept kept = new Kept(wanted, planned.act(), planned.epoch(), planned.isApplicable(), answer);
        synchronized (plans) {
            plans.put(id, kept);
            if (plans.size() > PLANS_MAX) {
                plans.remove(plans.keySet().iterator().next());
            }
        }
        return answer;
    }

    private static Wanted wanted(FabricSnapshot fabric, PlanBody body) {
        if (!ACTS.contains(body.act)) {
            throw RequestRefused.badRequest("act: '" + body.act + "' is none of " + String.join(", ", ACTS));
        }
        if (body.quiesce && !body.act.equals("engine")) {
            throw RequestRefused.badRequest("quiesce: it is for act engine");
        }
        if (body.blocks != null && !body.act.equals("rebalance")) {
            throw RequestRefused.badRequest("blocks: it is for act rebalance");
        }
        boolean ofIdentity = body.act.equals("replace") || body.act.equals("forget");
        List<PortPlace> objects = ofIdentity ? List.of() : objects(fabric, body);
        boolean congestion = body.congestion == null ? isSmall(fabric) : body.congestion;
        if (body.act.equals("what-if")) {
            return new Wanted(null, objects, congestion);
        }
        if (body.act.equals("rebalance")) {
            return rebalance(fabric, body, congestion);
        }
        Act act = switch (body.act) {
            case "drain" -> new Act(Verb.DRAIN, objects, "");
            case "undrain" -> new Act(Verb.UNDRAIN, objects, "");
            case "engine" -> Act.engine(engine(body.engine), body.quiesce);
            case "replace" -> GoneThings.replace(fabric, body.switches, body.nodes);
            case "forget" -> GoneThings.forget(fabric, body.switches, body.links, body.nodes);
            default -> rollback(fabric, body.epoch);
        };
        Wanted wanted = new Wanted(act, act.objects(), congestion);
        refuseWhatIs(fabric, wanted);
        return wanted;
    }

    private static Wanted rebalance(FabricSnapshot fabric, PlanBody body, boolean congestion) {
        Integer blocks = body.blocks;
        if (blocks != null && blocks < 0) {
            throw RequestRefused.badRequest("blocks: " + blocks + "; expected 0 or more; 0 takes moved entries back");
        }
        Wanted wanted = Wanted.rebalance(blocks == null ? -1 : blocks, congestion);
        refuseWhatIs(fabric, wanted);
        return wanted;
    }

    private static boolean isSmall(FabricSnapshot fabric) {
        FabricView view = fabric.view();
        return view != null && view.nodeCount() <= CONGESTION_NODES_MAX;
    }

    private static List<PortPlace> objects(FabricSnapshot fabric, PlanBody body) {
        List<PortPlace> objects = new ArrayList<>();
        for (String name : body.switches) {
            objects.add(new PortPlace(SwitchNames.find(fabric, name).guid(), 0));
        }
        for (String name : body.links) {
            objects.add(
                    body.act.equals("undrain")
                            ? LinkEnds.findDrained(fabric, name)
                            : LinkEnds.lower(fabric, LinkEnds.find(fabric, name)));
        }
        boolean ofAll = List.of("engine", "rollback", "rebalance").contains(body.act);
        if (objects.isEmpty() != ofAll) {
            throw RequestRefused.badRequest(
                    ofAll ? "this act is about all switches" : "it names no switch and no link");
        }
        return objects.stream().distinct().toList();
    }

    private static Act rollback(FabricSnapshot fabric, long epoch) {
        if (epoch < 1) {
            throw RequestRefused.badRequest("epoch: " + epoch + "; expected the number of a kept epoch");
        }
        try {
            return ActPlanning.rollback(fabric, epoch);
        } catch (DeclinedException e) {
            throw RequestRefused.conflict(String.valueOf(e.getMessage()));
        }
    }

    private static String engine(String name) {
        if (!(name.equals("default") || EngineChoice.NAMES.contains(name))) {
            throw RequestRefused.badRequest(
                    "engine: '" + name + "' is none of " + String.join(", ", EngineChoice.NAMES) + ", default");
        }
        return name.equals("default") ? "" : name;
    }

    private static void refuseWhatIs(FabricSnapshot fabric, Wanted wanted) {
        Act act = wanted.act();
        if (act == null) {
            return;
        }
        if (act.verb() == Verb.ENGINE && act.engine().equals(fabric.intent().engineName())) {
            throw RequestRefused.conflict("that engine is chosen already");
        }
        if (act.verb() == Verb.REBALANCE
                && wanted.blocks() == 0
                && fabric.intent().moves().isEmpty()) {
            throw RequestRefused.conflict("no entries are moved");
        }
        if (act.isOfIdentity()) {
            GoneThings.refuseWhatIsThere(fabric, act);
        }
        boolean ofDrains = act.verb() == Verb.DRAIN || act.verb() == Verb.UNDRAIN;
        for (PortPlace place : ofDrains ? act.objects() : List.<PortPlace>of()) {
            boolean drained = fabric.intent().isDrained(place);
            if (drained == (act.verb() == Verb.DRAIN)) {
                throw RequestRefused.conflict(
                        LinkEnds.name(fabric, place) + (drained ? " is drained already" : " is not drained"));
            }
        }
    }

    private HttpResponse show(ServiceRequestContext context, HttpRequest request) {
        String id = new Parameters(context, Set.of()).inPath("plan");
        return unsent.of(context, request, () -> find(id).answer);
    }

    /** The same as things are now. */
    private HttpResponse renew(ServiceRequestContext context, HttpRequest request) {
        Command.refuseStrangers(context, request);
        String id = new Parameters(context, Set.of()).inPath("plan");
        context.setRequestTimeout(PLANNED_WITHIN);
        Wanted wanted = find(id).wanted;
        return HttpResponse.of(later(context, fabric -> {
            refuseWhatIs(fabric, wanted);
            return planned(fabric, wanted);
        }));
    }

    private Kept find(String id) {
        synchronized (plans) {
            Kept kept = plans.get(id);
            if (kept == null) {
                throw RequestRefused.notFound("no plan " + id);
            }
            return kept;
        }
    }

    private HttpResponse apply(ServiceRequestContext context, HttpRequest request) {
        String id = new Parameters(context, Set.of()).inPath("plan");
        return HttpResponse.of(Command.body(context, request, Given.class, "{\"by\": \"who\", \"why\": \"one line\"}")
                .thenCompose(given -> {
                    Kept plan = find(id);
                    Act act = plan.act;
                    if (act == null) {
                        throw RequestRefused.conflict("not applied, plan " + id + " only asks what if");
                    }
                    if (!plan.applicable) {
                        throw RequestRefused.conflict(
                                "not applied, plan " + id + " leaves no tables that pass the check");
                    }
                    return tell(act, plan.epoch, given.by, given.why, "not applied, ");
                }));
    }

    private HttpResponse pause(ServiceRequestContext context, HttpRequest request) {
        Parameters.none(context);
        String expected = "{\"by\": \"who\", \"why\": \"one line\", \"seconds\": 1800, \"faultsEndIt\": false}";
        return HttpResponse.of(Command.body(context, request, Given.class, expected)
                .thenCompose(body -> {
                    Long seconds = body.seconds;
                    if (seconds != null && (seconds < 1 || seconds > PAUSE_MAX.toSeconds())) {
                        throw RequestRefused.badRequest(
                                "seconds: " + seconds + "; expected 1.." + PAUSE_MAX.toSeconds());
                    }
                    long until = seconds == null ? 0 : System.currentTimeMillis() + seconds * 1000;
                    Act act = Act.pause(until, body.faultsEndIt);
                    return tell(act, 0, body.by, body.why, "not paused, ");
                }));
    }

    private HttpResponse resume(ServiceRequestContext context, HttpRequest request) {
        Parameters.none(context);
        return HttpResponse.of(Command.body(context, request, Given.class, "{\"by\": \"who\", \"why\": \"one line\"}")
                .thenCompose(
                        given -> tell(new Act(Verb.RESUME, List.of(), ""), 0, given.by, given.why, "not resumed, ")));
    }

    /** Answers with what holds then, once a crash would not undo it. */
    private CompletableFuture<HttpResponse> tell(Act act, long epoch, String by, String why, String declined) {
        ActAsked asked = new ActAsked(loop.nowNanos(), act, epoch, OneLine.by(by), OneLine.why(why));
        return loop.perform(asked, declined)
                .thenApply(fabric -> TaggedAnswers.passing(IntentAnswer.of(fabric.intent())));
    }

    /** Plans that wait are not made. */
    @Override
    public void close() {
        planner.shutdownNow();
    }
}
