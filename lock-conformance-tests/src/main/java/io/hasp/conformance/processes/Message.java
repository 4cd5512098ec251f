package io.hasp.conformance.processes;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One line between this JVM and a child process: a command, or the answer to one. Immutable.
 *
 * @param id pairs command and answer
 * @param word which command or answer; without spaces
 * @param arguments any text
 */
public record Message(long id, String word, List<String> arguments) {
    private static final int HEAD = 2;

    static Message of(long id, String word, Object... arguments) {
        return new Message(id, word, Stream.of(arguments).map(String::valueOf).toList());
    }

    static Message parse(String line) {
        List<String> words = new ArrayList<>(List.of(line.split(" ", -1)));
        return new Message(
                Long.parseLong(words.get(0)),
                words.get(1),
                words.subList(HEAD, words.size()).stream()
                        .map(word -> URLDecoder.decode(word, StandardCharsets.UTF_8))
                        .toList());
    }

    String line() {
        return Stream.concat(
                        Stream.of(Long.toString(id), word),
                        arguments.stream().map(argument -> URLEncoder.encode(argument, StandardCharsets.UTF_8)))
                .collect(Collectors.joining(" "));
    }

    /**
     * Answers this command.
     *
     * @param answer which answer; without spaces
     * @param values its arguments, sent as text
     * @return the answer
     */
    public Message answer(String answer, Object... values) {
        return of(id, answer, values);
    }

    /**
     * An argument.
     *
     * @param index from 0
     * @return the text
     */
    public String text(int index) {
        return arguments.get(index);
    }

    /**
     * An argument that is a whole number.
     *
     * @param index from 0
     * @return the number
     */
    public long number(int index) {
        return Long.parseLong(arguments.get(index));
    }
}
