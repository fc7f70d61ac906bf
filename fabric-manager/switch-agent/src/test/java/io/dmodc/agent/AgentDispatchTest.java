package io.dmodc.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.dmodc.agent.AgentCore.Identity;
import io.dmodc.agent.plane.InstalledTable;
import io.dmodc.agent.plane.MemoryPlane;
import io.dmodc.agent.plane.PlaneCapabilities;
import io.dmodc.southbound.FrameLimits;
import io.dmodc.southbound.TableVersion;
import io.dmodc.southbound.Transport;
import io.dmodc.southbound.proto.AgentFrame;
import io.dmodc.southbound.proto.Endpoint;
import io.dmodc.southbound.proto.FaultReport;
import io.dmodc.southbound.proto.ManagerFrame;
import io.netty.channel.EventLoopGroup;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Nothing that can happen to an agent, and nothing it can decide, is dropped without a word. */
class AgentDispatchTest {
    private static final Map<Class<?>, Object> SAMPLES = Map.ofEntries(
            Map.entry(long.class, 1L),
            Map.entry(int.class, 1),
            Map.entry(boolean.class, true),
            Map.entry(String.class, "x"),
            Map.entry(List.class, List.of()),
            Map.entry(TableVersion.class, new TableVersion(1, 1)),
            Map.entry(ManagerFrame.class, ManagerFrame.getDefaultInstance()),
            Map.entry(AgentFrame.class, AgentFrame.getDefaultInstance()),
            Map.entry(FaultReport.class, FaultReport.getDefaultInstance()),
            Map.entry(ByteString.class, ByteString.EMPTY),
            Map.entry(InstalledTable.class, InstalledTable.NONE));

    private final EventLoopGroup group = Transport.best().group(1, "test");

    @AfterEach
    void stop() {
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }

    private static <T> T of(Class<T> record) throws ReflectiveOperationException {
        Class<?>[] types = Arrays.stream(record.getRecordComponents())
                .map(RecordComponent::getType)
                .toArray(Class<?>[]::new);
        Constructor<T> constructor = record.getDeclaredConstructor(types);
        return constructor.newInstance(Arrays.stream(types).map(SAMPLES::get).toArray());
    }

    /** A sample may be too plain for whoever takes it; that is another failure than that nobody does. */
    private static @Nullable String failure(Runnable work) {
        try {
            work.run();
            return null;
        } catch (RuntimeException e) {
            return e.getMessage();
        }
    }

    @Test
    void shouldTakeEveryKindOfEvent() throws Exception {
        Identity identity = new Identity(0x10, "leaf0", 4, Endpoint.getDefaultInstance(), true);
        for (Class<?> type : AgentEvent.class.getPermittedSubclasses()) {
            AgentCore core = new AgentCore(identity, 7, PlaneCapabilities.INDICES, new SplittableRandom(1));
            AgentEvent event = (AgentEvent) of(type);

            assertThat(failure(() -> core.step(event)))
                    .as(type.getSimpleName())
                    .satisfiesAnyOf(
                            failure -> assertThat(failure).isNull(),
                            failure -> assertThat(failure).doesNotStartWith("nobody takes"));
        }
    }

    private Agent agent() {
        InetSocketAddress nowhere = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
        AgentConfig config = new AgentConfig(nowhere, null, 7, 1, raised -> {}, FrameLimits.DEFAULT, null, null);
        return Agent.start(config, new MemoryPlane(0x10, "leaf0", 4), group);
    }

    @Test
    void shouldPerformEveryKindOfEffect() throws Exception {
        // What they lead to may fail later, and would be told to the process.
        handOverTo(new LinkedBlockingQueue<>());
        Agent agent = agent();
        for (Class<?> type : AgentEffect.class.getPermittedSubclasses()) {
            AgentEffect effect = (AgentEffect) of(type);

            String failure = group.next()
                    .submit(() -> String.valueOf(failure(() -> agent.perform(effect))))
                    .get(20, TimeUnit.SECONDS);

            assertThat(failure).as(type.getSimpleName()).doesNotStartWith("nobody performs");
        }
        agent.close();
    }

    private void handOverTo(BlockingQueue<Throwable> ends) throws Exception {
        group.next()
                .submit(() -> Thread.currentThread().setUncaughtExceptionHandler((thread, end) -> ends.add(end)))
                .get(20, TimeUnit.SECONDS);
    }

    /** Netty would only log it, and the agent would miss the timer that did not come. */
    @Test
    void shouldEndTheProcessForAMistakeOnItsEventLoop() throws Exception {
        BlockingQueue<Throwable> ends = new LinkedBlockingQueue<>();
        handOverTo(ends);
        Agent agent = agent();
        Error missing = new NoClassDefFoundError("io/dmodc/Lost");

        agent.onLoop(() -> {
            throw missing;
        });

        assertThat(ends.poll(20, TimeUnit.SECONDS)).isSameAs(missing);
        agent.close();
    }
}
