package io.dmodc.manager.northbound;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.ResponseHeaders;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.Set;

/**
 * Answers that a client need not take twice: each has an entity tag, and 304 without a body when the client has it.
 *
 * <p>The tag is a digest of the answer itself. So it is right whatever the answer depends on: acknowledgements, hold-downs
 * and names change within an epoch, and an epoch changes without most answers. What it saves is the way, not the
 * work. Tags are weak, because the same answer travels packed and unpacked.
 */
final class TaggedAnswers {
    private static final int TAG_BYTES = 12;

    private TaggedAnswers() {}

    /** As JSON. */
    static HttpResponse json(HttpRequest request, Object answer) {
        byte[] body = Json.bytes(answer);
        return of(request.headers(), MediaType.JSON_UTF_8, body, tag(body));
    }

    /** As JSON; the named components change without news, a client that has the rest of the answer has it all. */
    static HttpResponse json(HttpRequest request, Object answer, Set<String> passing) {
        return of(request.headers(), MediaType.JSON_UTF_8, Json.bytes(answer), tag(Json.bytesWithout(answer, passing)));
    }

    static HttpResponse of(RequestHeaders asked, MediaType type, byte[] body, String tag) {
        var headers = ResponseHeaders.builder(known(asked, tag) ? HttpStatus.NOT_MODIFIED : HttpStatus.OK)
                .set(HttpHeaderNames.ETAG, tag)
                .set(HttpHeaderNames.CACHE_CONTROL, "no-cache");
        if (known(asked, tag)) {
            return HttpResponse.of(headers.build());
        }
        return HttpResponse.of(headers.contentType(type).build(), HttpData.wrap(body));
    }

    /** Only of this moment, and never to be kept. */
    static HttpResponse passing(Object answer) {
        return HttpResponse.of(
                ResponseHeaders.builder(HttpStatus.OK)
                        .contentType(MediaType.JSON_UTF_8)
                        .set(HttpHeaderNames.CACHE_CONTROL, "no-store")
                        .build(),
                HttpData.wrap(Json.bytes(answer)));
    }

    static String tag(byte[] body) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(body);
            return "W/\"" + Base64.getUrlEncoder().encodeToString(Arrays.copyOf(digest, TAG_BYTES)) + '"';
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("defect: every JVM has SHA-256", e);
        }
    }

    /** Compares weakly (RFC 9110, section 8.8.3.2): with or without {@code W/}, the same text is the same tag. */
    private static boolean known(RequestHeaders asked, String tag) {
        String opaque = tag.substring(2);
        for (String list : asked.getAll(HttpHeaderNames.IF_NONE_MATCH)) {
            for (String one : list.split(",", -1)) {
                String has = one.strip();
                if (has.equals("*") || has.equals(opaque) || has.equals(tag)) {
                    return true;
                }
            }
        }
        return false;
    }
}
