package io.dmodc.settings.cli;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The signal HUP, which asks a daemon to read its settings again. Without a handler it would end the JVM.
 *
 * <p>The JDK's own class for signals is in {@code jdk.unsupported} and cannot be named in code that is compiled without
 * warnings, so it is looked up by name.
 */
public final class HangUp {
    private HangUp() {}

    /**
     * Has every HUP from now on answered by this, on threads of the JVM's own, one at a time. However many come
     * while one is answered, they are answered together by one more.
     *
     * @throws IllegalStateException where the JVM has no such class, or keeps the signal for itself ({@code -Xrs})
     */
    public static void handle(Runnable answer) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            AtomicBoolean waiting = new AtomicBoolean();
            Object turn = new Object();
            Object answering = Proxy.newProxyInstance(
                    HangUp.class.getClassLoader(), new Class<?>[] {handler}, (proxy, method, args) -> {
                        if (method.getDeclaringClass() == Object.class) {
                            return ofObject(proxy, method, args);
                        }
                        // The JVM starts a thread for each signal.
                        if (waiting.compareAndSet(false, true)) {
                            synchronized (turn) {
                                waiting.set(false);
                                answer.run();
                            }
                        }
                        return null;
                    });
            Object hangUp = signal.getConstructor(String.class).newInstance("HUP");
            signal.getMethod("handle", signal, handler).invoke(null, hangUp, answering);
        } catch (InvocationTargetException e) {
            throw new IllegalStateException("the JVM does not hand SIGHUP over: " + e.getCause(), e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("this JVM has no signals", e);
        }
    }

    private static Object ofObject(Object proxy, Method method, Object[] args) {
        return switch (method.getName()) {
            case "equals" -> proxy == args[0];
            case "hashCode" -> System.identityHashCode(proxy);
            default -> "answer to SIGHUP";
        };
    }
}
