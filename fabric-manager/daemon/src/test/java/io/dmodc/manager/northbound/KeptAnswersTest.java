package io.dmodc.manager.northbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.dmodc.manager.core.Alarm;
import io.dmodc.manager.core.Effect.Persist;
import io.dmodc.manager.state.StateRecord.Acknowledgement;
import io.dmodc.manager.state.StateRecord.ExpectedSwitch;
import io.dmodc.manager.state.StateRecord.Intent;
import io.dmodc.manager.state.StoredState;
import io.dmodc.manager.store.StateStore;
import io.dmodc.manager.store.StuckDisk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who asks for something is answered when a real store has it on disk, and not before. */
class KeptAnswersTest {
    @TempDir
    Path directory;

    private final StuckDisk disk = new StuckDisk();
    private final ExecutorService writer = Executors.newSingleThreadExecutor();

    /** Batches that the writer was given. */
    private final AtomicLong given = new AtomicLong();

    private StateStore store;
    private TestFabric fabric;
    private NorthboundServer server;
    private Client client;

    @BeforeEach
    void open() throws IOException {
        store = disk.open(directory);
        store.state();
        fabric = TestFabric.empty("2;4,4;1,2;1,1");
        server = fabric.serve();
        client = new Client(server);
        fabric.disk = this::append;
        fabric.joinAll();
        fabric.kill("l2s1");
        fabric.calm();
        fabric.disk = (records, kept) -> {
            given.incrementAndGet();
            writer.execute(() -> append(records, kept));
        };
    }

    @AfterEach
    void close() throws Exception {
        disk.goOn();
        server.close();
        fabric.close();
        writer.shutdown();
        assertThat(writer.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
        store.close();
    }

    private void append(Persist records, Runnable kept) {
        try {
            store.append(records.records());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        kept.run();
    }

    /** With apostrophes for quotation marks. */
    private HttpResponse<String> post(String path, String body) {
        return client.send(client.request("/api/v1/" + path)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body.replace('\'', '"'))));
    }

    private CompletableFuture<HttpResponse<String>> asked(String path) {
        return CompletableFuture.supplyAsync(() -> post(path, "{'by':'ann','why':'scrapped'}"));
    }

    private String plan(String body) {
        JsonNode plan = Client.parse(post("plans", body).body());
        return "plans/" + plan.at("/id").asText() + "/apply";
    }

    private void awaitDone() {
        await().atMost(30, TimeUnit.SECONDS)
                .until(() -> !fabric.snapshot().intent().kept());
    }

    /** What a crash would leave: the writer is done with all that it was given. */
    private StoredState stored() throws Exception {
        return writer.submit(store::state).get(30, TimeUnit.SECONDS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{'act':'forget','switches':['l2s1']}", "{'act':'replace','switches':['l2s1','l2s0']}"})
    void shouldForgetAndReplaceBeforeItIsAnswered(String body) throws Exception {
        long gone = fabric.guid("l2s1");
        String path = plan(body);
        disk.stick();

        long before = given.get();
        CompletableFuture<HttpResponse<String>> answer = asked(path);
        await().atMost(30, TimeUnit.SECONDS).until(() -> given.get() > before);
        assertThat(fabric.snapshot().expects(gone)).isTrue();
        assertThat(answer).isNotDone();
        disk.goOn();

        assertThat(answer.get(30, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
        assertThat(stored().all(ExpectedSwitch.class))
                .extracting(ExpectedSwitch::guid)
                .doesNotContain(gone);
    }

    @Test
    void shouldAcknowledgeBeforeItIsAnswered() throws Exception {
        Alarm alarm = fabric.snapshot().alarms().stream()
                .filter(it -> it.kind() == Alarm.Kind.SWITCH_DEAD)
                .findFirst()
                .orElseThrow();
        disk.stick();

        CompletableFuture<HttpResponse<String>> answer = asked("alarms/" + alarm.id() + "/acknowledge");
        awaitDone();
        assertThat(Objects.requireNonNull(fabric.snapshot().findAlarm(alarm.id()))
                        .acknowledgement())
                .isNotNull();
        assertThat(answer).isNotDone();
        disk.goOn();

        assertThat(answer.get(30, TimeUnit.SECONDS).statusCode()).isEqualTo(204);
        assertThat(stored().all(Acknowledgement.class))
                .extracting(Acknowledgement::id, Acknowledgement::by)
                .containsExactly(tuple(alarm.id(), "ann"));
    }

    @Test
    void shouldSaySoWhenTheDiskDoesNotTakeIt() throws Exception {
        String path = plan("{'act':'forget','switches':['l2s1']}");
        disk.stick();

        HttpResponse<String> answer = asked(path).get(30, TimeUnit.SECONDS);

        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.body()).contains("not done yet: it is once the disk takes it, and not at all if it does not");
        disk.goOn();
        assertThat(stored().all(Intent.class)).allMatch(intent -> intent.act().equals("forget"));
    }
}
