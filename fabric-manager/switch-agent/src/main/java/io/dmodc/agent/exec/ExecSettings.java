package io.dmodc.agent.exec;

import java.time.Duration;
import java.util.List;

/**
 * How a program is kept.
 *
 * @param command the program and its arguments, one or more
 * @param answerTimeout so long it may stay silent while something is asked of it
 * @param tellsPorts whether it is asked for its ports; otherwise what it says of them is passed over
 * @param takesAlternatives whether it is told by which other ports destinations can be reached
 */
public record ExecSettings(
        List<String> command, Duration answerTimeout, boolean tellsPorts, boolean takesAlternatives) {
    /** Copies the command. */
    public ExecSettings {
        command = List.copyOf(command);
        if (command.isEmpty()) {
            throw new IllegalArgumentException("no command; expected a program and its arguments");
        }
    }
}
