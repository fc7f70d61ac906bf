package io.dmodc.detector.peers;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.LongAdder;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.actor.setup.Setup;
import org.apache.pekko.remote.artery.RemoteInstrument;

/** Messages one actor system has exchanged with others; handed to it at its start, as it makes its instruments itself. */
final class PekkoMessageCounts extends Setup {
    private final LongAdder sent = new LongAdder();
    private final LongAdder received = new LongAdder();

    long sent() {
        return sent.sum();
    }

    long received() {
        return received.sum();
    }

    /** What Artery calls for each message it has encoded or decoded; made by name, one for each of its streams. */
    public static final class Instrument extends RemoteInstrument {
        /** Free for applications, which have 8..31. */
        private static final byte IDENTIFIER = 31;

        private final PekkoMessageCounts counts;

        public Instrument(ExtendedActorSystem system) {
            counts = system.settings().setup().get(PekkoMessageCounts.class).orElseThrow();
        }

        @Override
        public byte identifier() {
            return IDENTIFIER;
        }

        @Override
        public void remoteWriteMetadata(ActorRef recipient, Object message, ActorRef sender, ByteBuffer buffer) {}

        @Override
        public void remoteReadMetadata(ActorRef recipient, Object message, ActorRef sender, ByteBuffer buffer) {}

        @Override
        public void remoteMessageSent(ActorRef recipient, Object message, ActorRef sender, int size, long nanos) {
            counts.sent.increment();
        }

        @Override
        public void remoteMessageReceived(ActorRef recipient, Object message, ActorRef sender, int size, long nanos) {
            counts.received.increment();
        }
    }
}
