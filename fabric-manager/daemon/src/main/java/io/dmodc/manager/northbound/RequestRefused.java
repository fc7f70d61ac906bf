package io.dmodc.manager.northbound;

import com.linecorp.armeria.common.HttpStatus;

/** A request that gets a status other than 200 and one line that says why. */
final class RequestRefused extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient HttpStatus status;
    private final boolean notBegun;

    private RequestRefused(HttpStatus status, String message) {
        this(status, message, false);
    }

    private RequestRefused(HttpStatus status, String message, boolean notBegun) {
        super(message, null, false, false);
        this.status = status;
        this.notBegun = notBegun;
    }

    /** A parameter is missing or malformed. */
    static RequestRefused badRequest(String message) {
        return new RequestRefused(HttpStatus.BAD_REQUEST, message);
    }

    /** Well formed, but there is no such thing. */
    static RequestRefused notFound(String message) {
        return new RequestRefused(HttpStatus.NOT_FOUND, message);
    }

    /** Understood, and not allowed to this client. */
    static RequestRefused forbidden(String message) {
        return new RequestRefused(HttpStatus.FORBIDDEN, message);
    }

    /** A body of another type than can be read. */
    static RequestRefused unsupported(String message) {
        return new RequestRefused(HttpStatus.UNSUPPORTED_MEDIA_TYPE, message);
    }

    /** Understood, and not possible as things are. */
    static RequestRefused conflict(String message) {
        return new RequestRefused(HttpStatus.CONFLICT, message);
    }

    /** The manager cannot answer now. */
    static RequestRefused unavailable(String message) {
        return new RequestRefused(HttpStatus.SERVICE_UNAVAILABLE, message);
    }

    /** Nothing of it was begun, and a moment later it may well be: the same may be asked again, whatever it is. */
    static RequestRefused busy(String message) {
        return new RequestRefused(HttpStatus.SERVICE_UNAVAILABLE, message, true);
    }

    HttpStatus status() {
        return status;
    }

    /** True if the client shall ask again by itself. */
    boolean notBegun() {
        return notBegun;
    }
}
