package io.dmodc.agent;

import io.dmodc.agent.plane.ForwardingPlane;
import io.dmodc.agent.plane.Neighbour.SwitchPort;
import io.dmodc.agent.plane.TransitChannel;
import io.dmodc.detector.link.TransitHello;
import io.dmodc.settings.process.HaltOnDefect;
import io.netty.channel.EventLoop;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Says hello through neighbouring switches when the manager wants to know whether they forward, and answers those of others the
 * way they came. Lives on the agent's event loop, where all methods but {@link #open} must be called. Holds what
 * {@link AgentCore} lets be asked at a time.
 */
final class TransitHost {
    /** So many are sent for a question, so that a lost one says nothing. */
    static final int HELLOS = 5;

    static final long INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /** How long an answer to the last one is waited for. */
    static final long LAST_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** What is asked for the manager, and not answered to it yet. */
    private final class Question {
        final AgentEffect.AskThrough asked;
        final SwitchPort subject;
        int sent;
        int answered;

        Question(AgentEffect.AskThrough asked, SwitchPort subject) {
            this.asked = asked;
            this.subject = subject;
        }

        void sendNext() {
            if (ended) {
                return;
            }
            if (sent == HELLOS) {
                unanswered.values().removeIf(of -> of == this);
                told.told(new AgentEvent.AskedThrough(asked.number(), sent, answered));
                return;
            }
            long number = random.nextLong();
            unanswered.put(number, this);
            sent++;
            outbound.answer = false;
            outbound.cluster = cluster;
            outbound.askerGuid = plane.guid();
            outbound.subjectGuid = subject.guid();
            outbound.number = number;
            outbound.back = asked.back();
            send(asked.port(), asked.there());
            long wait = sent == HELLOS ? LAST_WAIT_NANOS : INTERVAL_NANOS;
            loop.schedule(HaltOnDefect.guarding(this::sendNext), wait, TimeUnit.NANOSECONDS);
        }
    }

    /** Told what came of a question, on the event loop. */
    interface Told {
        void told(AgentEvent.AskedThrough news);
    }

    private final EventLoop loop;
    private final ForwardingPlane plane;
    private final TransitChannel channel;
    private final int cluster;
    private final RandomGenerator random;
    private final Told told;
    private final Map<Long, Question> unanswered = new HashMap<>();
    private final TransitHello inbound = new TransitHello();
    private final TransitHello outbound = new TransitHello();
    private final ByteBuffer buffer = ByteBuffer.allocate(TransitHello.LENGTH);
    private boolean ended;

    private TransitHost(
            EventLoop loop,
            ForwardingPlane plane,
            TransitChannel channel,
            int cluster,
            RandomGenerator random,
            Told told) {
        this.loop = loop;
        this.plane = plane;
        this.channel = channel;
        this.cluster = cluster;
        this.random = random;
        this.told = told;
    }

    /**
     * Starts on a loop: answers from now on.
     *
     * @param config null: hellos are not wanted
     * @param random whoever guesses its next number can answer for another switch
     * @return null when hellos are not wanted, or the plane carries none through
     */
    static @Nullable TransitHost open(
            EventLoop loop, ForwardingPlane plane, @Nullable HelloConfig config, RandomGenerator random, Told told) {
        TransitChannel channel = plane.transits();
        if (config == null || channel == null) {
            return null;
        }
        TransitHost host = new TransitHost(loop, plane, channel, config.cluster(), random, told);
        channel.listen(new HelloInbox(loop, plane.portCount(), host::arrived));
        return host;
    }

    /** Asks through the switch at the far end of a port; what came of it is told {@value #HELLOS} hellos later. */
    void ask(AgentEffect.AskThrough asked) {
        SwitchPort subject = subjectAt(asked.port());
        if (subject == null) {
            told.told(new AgentEvent.AskedThrough(asked.number(), 0, 0));
        } else {
            new Question(asked, subject).sendNext();
        }
    }

    private @Nullable SwitchPort subjectAt(int port) {
        return plane.portState(port).neighbour() instanceof SwitchPort far ? far : null;
    }

    private void arrived(int port, ByteBuffer hello) {
        if (ended || inbound.read(hello) != null || inbound.cluster != cluster) {
            return;
        }
        SwitchPort from = subjectAt(port);
        if (from == null || from.guid() != inbound.subjectGuid) {
            return;
        }
        if (inbound.answer) {
            Question question = inbound.askerGuid == plane.guid() ? unanswered.get(inbound.number) : null;
            if (question != null && question.subject.guid() == inbound.subjectGuid) {
                unanswered.remove(inbound.number);
                question.answered++;
            }
            return;
        }
        outbound.answer = true;
        outbound.cluster = cluster;
        outbound.askerGuid = inbound.askerGuid;
        outbound.subjectGuid = inbound.subjectGuid;
        outbound.number = inbound.number;
        outbound.back = inbound.back;
        send(port, inbound.back);
    }

    private void send(int port, int destination) {
        buffer.clear();
        outbound.write(buffer);
        channel.send(port, destination, buffer.flip());
    }

    /** Neither asks nor answers any more, and tells nobody. */
    void end() {
        ended = true;
        unanswered.clear();
        channel.listen((port, hello) -> {});
    }
}
