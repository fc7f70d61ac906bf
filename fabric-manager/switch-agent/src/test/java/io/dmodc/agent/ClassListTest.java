package io.dmodc.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The list of classes that an agent's archive is made of. Each lambda that it does not have is made anew at each start, and takes memory; and the compiler
 * numbers those of a class one after the other, so that one more or less gives others another name.
 */
class ClassListTest {
    private static final Path LIST = Path.of("../bin/lib/switch-agent.classes");

    /** The compiler of other versions numbers them otherwise. */
    private static final int JAVA = 17;

    /** What is called: a lambda's body, or the method that was referred to; a constructor is no method. */
    private static final Pattern CALLED = Pattern.compile(" REF_\\S+ (io/dmodc/\\S+) ([^<\\s]\\S*) (\\(\\S+) ");

    @Test
    void shouldNameOnlyLambdasThatThereAre() throws Exception {
        assumeTrue(
                Runtime.version().feature() == JAVA,
                "lambdas are numbered as by Java " + JAVA + ", this is " + Runtime.version());

        List<String> gone = Files.readAllLines(LIST).stream()
                .filter(line -> line.startsWith("@lambda-proxy"))
                .map(CALLED::matcher)
                .flatMap(Matcher::results)
                .filter(lambda -> methods(lambda.group(1)).noneMatch(method -> isNamed(method, lambda)))
                .map(lambda -> lambda.group().strip())
                .toList();

        assertThat(gone).isEmpty();
    }

    /** A reader of JSON is a fiftieth of an agent's memory; settings, and what {@code ip} writes, are read without. */
    @Test
    void shouldNameNoReaderOfJson() throws Exception {
        assertThat(Files.readAllLines(LIST)).noneMatch(line -> line.contains("jackson"));
    }

    private static Stream<Method> methods(String type) {
        try {
            return Arrays.stream(Class.forName(type.replace('/', '.'), false, ClassListTest.class.getClassLoader())
                    .getDeclaredMethods());
        } catch (ClassNotFoundException e) {
            return Stream.empty();
        }
    }

    private static boolean isNamed(Method method, MatchResult lambda) {
        MethodType type = MethodType.methodType(method.getReturnType(), method.getParameterTypes());
        return method.getName().equals(lambda.group(2))
                && type.toMethodDescriptorString().equals(lambda.group(3));
    }
}
