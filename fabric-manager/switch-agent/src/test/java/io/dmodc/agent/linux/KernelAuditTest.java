package io.dmodc.agent.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dmodc.agent.plane.Destination;
import io.dmodc.agent.plane.Destinations;
import io.dmodc.agent.plane.InstalledTable;
import io.dmodc.agent.plane.PlaneException;
import io.dmodc.agent.plane.TableChange;
import io.dmodc.southbound.Alternatives;
import io.dmodc.southbound.TableVersion;
import io.dmodc.topology.HostAddresses;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import org.junit.jupiter.api.Test;

/** On two threads that do nothing by themselves, over a kernel that holds what a test says. */
class KernelAuditTest {
    private static final RouteAddress FOUR = RouteAddress.ipv4(0x0a640001);
    private static final RouteAddress SIX = new RouteAddress(0xfdL << 56, 1);

    private final RouteBook book = new RouteBook(2, false);
    private final Turns worker = new Turns();
    private final Turns auditor = new Turns();
    private final KernelRoutes kernel = KernelRoutes.none();
    private final FakeHost host = new FakeHost();
    private final KernelAudit audit =
            new KernelAudit("switch 7", worker, auditor, book, new NextHops(), this::read, host);
    private int reads;
    private boolean unreadable;

    private KernelRoutes read() throws PlaneException {
        reads++;
        if (unreadable) {
            throw new PlaneException("ip is away");
        }
        return kernel;
    }

    /** What was told to be done, in order. */
    private static final class Turns implements KernelAudit.Later {
        record Turn(long nanos, Runnable work) {}

        final Deque<Turn> turns = new ArrayDeque<>();

        @Override
        public void later(long nanos, Runnable work) {
            turns.add(new Turn(nanos, work));
        }

        /** Does the next one, which is due so much later. */
        void run(long nanos) {
            Turn next = turns.remove();
            assertThat(next.nanos()).isEqualTo(nanos);
            next.work().run();
        }
    }

    private static final class FakeHost implements KernelAudit.Host {
        int portsRead;
        int unblocked;
        int settled;
        boolean fails;

        @Override
        public void readPorts() {
            portsRead++;
            if (fails) {
                throw new IllegalStateException("a defect");
            }
        }

        @Override
        public void unblock() {
            unblocked++;
        }

        @Override
        public void settleAndWrite() {
            settled++;
        }
    }

    /** One host, whose addresses lead over port 1, and the kernel has them. */
    private void installed(RouteAddress... addresses) throws PlaneException {
        audit.readNow();
        book.adoptKernel();
        book.writable(1, true);
        HostAddresses host = new HostAddresses(
                0, 0x0a640001, addresses.length > 1 ? SIX.high() : 0, addresses.length > 1 ? SIX.low() : 0, 0);
        BitSet changed = new BitSet();
        changed.set(0);
        book.table(new TableChange(
                InstalledTable.NONE,
                new InstalledTable(new TableVersion(1, 1), new byte[] {1}),
                changed,
                Destinations.of(1, d -> new Destination(1, "node", host)),
                Alternatives.NONE));
        book.next(10).forEach(book::done);
        for (RouteAddress address : addresses) {
            kernel.ours().put(address, 1);
        }
        assertThat(book.dueCount()).isZero();
    }

    @Test
    void shouldReadPortsAloneBeforeTheKernelWasReadForTheFirstTime() {
        audit.audit();
        worker.run(0);

        assertThat(host.portsRead).isEqualTo(1);
        assertThat(reads).isZero();
        assertThat(auditor.turns).isEmpty();
        assertThat(audit.everRead()).isFalse();
    }

    @Test
    void shouldHaveOneAuditWaitAtMost() {
        audit.ask();
        audit.ask();
        assertThat(auditor.turns).hasSize(1);

        auditor.run(0);
        worker.run(0);
        audit.ask();
        assertThat(auditor.turns).hasSize(1);
    }

    /** Else no audit would ever be made again. */
    @Test
    void shouldBeAskedAgainAfterPortsThatCannotBeRead() {
        host.fails = true;
        audit.ask();
        assertThatThrownBy(() -> auditor.run(0)).isInstanceOf(IllegalStateException.class);
        worker.run(0);
        audit.ask();
        assertThat(auditor.turns).hasSize(1);
    }

    @Test
    void shouldHaveWhatSomebodyTookAwayWrittenAgain() throws Exception {
        installed(FOUR);
        kernel.ours().clear();

        audit.audit();
        worker.run(0);
        auditor.run(0);
        assertThat(host.settled).isZero();
        worker.run(0);

        assertThat(book.next(10)).containsExactly(RouteOp.own(RouteOp.Kind.ADD, FOUR, 1));
        assertThat(host.settled).isEqualTo(1);
    }

    /** What was read before that may be older than what was written since. */
    @Test
    void shouldPassOverWhatWasReadBeforeTheProgramEnded() throws Exception {
        installed(FOUR);
        audit.audit();
        worker.run(0);
        auditor.run(0);

        audit.lost(new IOException("ip ended"));
        worker.run(0);
        assertThat(audit.isKnown()).isFalse();
        assertThat(host.settled).isZero();

        worker.run(KernelAudit.AGAIN_NANOS);
        assertThat(audit.isKnown()).isTrue();
        assertThat(host.settled).isEqualTo(1);
        assertThat(host.unblocked).isEqualTo(1);
        assertThat(auditor.turns).isEmpty();
    }

    @Test
    void shouldPassOverWhatWasReadBeforeSomebodyCouldNotWait() throws Exception {
        installed(FOUR);
        audit.audit();
        worker.run(0);
        auditor.run(0);

        audit.readNow();
        worker.run(0);

        assertThat(host.settled).isZero();
    }

    @Test
    void shouldReadAgainWhenAnIpv6RouteWentMeanwhile() throws Exception {
        installed(FOUR, SIX);
        audit.audit();
        worker.run(0);
        book.flushed(1);
        kernel.ours().clear();
        auditor.run(0);
        worker.run(0);
        assertThat(host.settled).isZero();

        worker.run(KernelAudit.AGAIN_NANOS);
        auditor.run(0);
        worker.run(0);
        auditor.run(0);
        worker.run(0);

        assertThat(host.portsRead).isEqualTo(2);
        assertThat(host.settled).isEqualTo(1);
    }

    @Test
    void shouldTryAgainOnceAtATimeWhenTheKernelCannotBeRead() throws Exception {
        installed(FOUR);
        unreadable = true;
        assertThatThrownBy(audit::readNow).hasMessage("ip is away");
        audit.again();
        assertThat(worker.turns).hasSize(1);

        worker.run(KernelAudit.AGAIN_NANOS);
        auditor.run(0);
        worker.run(0);
        auditor.run(0);
        worker.run(0);
        audit.lost(new IOException("ip ended"));
        worker.run(KernelAudit.AGAIN_NANOS);
        assertThat(audit.isKnown()).isFalse();
        unreadable = false;
        worker.run(KernelAudit.AGAIN_NANOS);

        assertThat(audit.isKnown()).isTrue();
        assertThat(worker.turns).isEmpty();
        assertThat(auditor.turns).isEmpty();
    }
}
