package io.hasp.engine.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The table in docs/engine.md has the rows of {@link Transition}, word for word, and the machine takes each of them somewhere. */
class TransitionsTest {
    private static final Path ENGINE = Path.of("src/main/java/io/hasp/engine/machine");

    @Test
    void the_table_in_the_document_is_the_one_in_the_code() throws IOException {
        List<String> documented = Files.readAllLines(Path.of("../docs/engine.md")).stream()
                .filter(line -> line.matches("\\| `[A-Z_]+` \\|.*"))
                .sorted()
                .toList();
        List<String> coded = Stream.of(Transition.values())
                .map(row -> "| `" + row + "` | " + row.event() + " | " + row.when() + " | " + row.effect() + " |")
                .sorted()
                .toList();
        assertThat(documented).isEqualTo(coded);
    }

    @Test
    void every_row_is_taken_by_the_machine() throws IOException {
        StringBuilder machine = new StringBuilder();
        try (Stream<Path> parts = Files.list(ENGINE)) {
            for (Path part : parts.filter(each -> !each.endsWith("Transition.java")).toList()) {
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
