package io.hasp.engine.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The table in docs/internals/engine.md is made of {@link Transition}; the machine takes each row somewhere. */
class TransitionsTest {
    private static final Path PAGE = Path.of("../docs/internals/engine.md");
    private static final Pattern TABLE =
            Pattern.compile("(?s)(?<=<!-- made by TransitionsTest -->\n).*?(?=<!-- end -->)");
    private static final Path ENGINE = Path.of("src/main/java/io/hasp/engine/machine");

    @Test
    void the_table_in_the_document_is_the_one_in_the_code() throws IOException {
        String page = Files.readString(PAGE);
        if ("write".equals(System.getProperty("hasp.table"))) {
            Files.writeString(PAGE, TABLE.matcher(page).replaceFirst(Matcher.quoteReplacement(table())));
        } else {
            assertThat(TABLE.matcher(page).results().map(MatchResult::group))
                    .as("the table of docs/internals/engine.md; -Dhasp.table=write writes it")
                    .containsExactly(table());
        }
    }

    private static String table() {
        return Stream.of(Transition.Section.values())
                .map(section -> "\n### " + section.title() + "\n\n"
                        + "| row | event | when | reaction |\n|---|---|---|---|\n" + rows(section))
                .collect(Collectors.joining("", "", "\n"));
    }

    private static String rows(Transition.Section section) {
        return Stream.of(Transition.values())
                .filter(row -> row.section() == section)
                .map(row -> "| `" + row + "` | " + row.event() + " | " + row.when() + " | " + row.effect() + " |\n")
                .collect(Collectors.joining());
    }

    @Test
    void every_row_is_taken_by_the_machine() throws IOException {
        StringBuilder machine = new StringBuilder();
        try (Stream<Path> parts = Files.list(ENGINE)) {
            for (Path part :
                    parts.filter(each -> !each.endsWith("Transition.java")).toList()) {
                machine.append(Files.readString(part));
            }
        }
        assertThat(Transition.values()).allSatisfy(row -> assertThat(machine).contains("Transition." + row));
    }

    /** The name of an event is the name of a type. */
    @Test
    void every_event_of_the_table_exists() {
        List<String> events = Stream.of(Event.class.getPermittedSubclasses())
                .map(Class::getSimpleName)
                .toList();
        assertThat(Stream.of(Transition.values())
                        .flatMap(row -> Stream.of(row.event().split(", ")))
                        .distinct())
                .filteredOn(event -> !event.equals("any"))
                .containsExactlyInAnyOrderElementsOf(events);
    }
}
