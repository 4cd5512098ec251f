package io.hasp.evaluation;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

@InTier(Tier.STANDARD)
class TortureCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void a_short_torture_tells_its_seed_its_faults_and_its_verdict() {
        int exit = hasp("torture", "--subjects", "hasp-redis-jedis", "--seconds", "8", "--seed", "7");

        assertThat(exit).as(err.toString() + out).isZero();
        assertThat(err.toString()).contains("hasp-redis-jedis for 8 s (again with --seed 7)");
        assertThat(out.toString())
                .contains("hasp-redis-jedis, seed 7: 8 s, 4 clients", "faults: 1 ×")
                .contains("no violation in");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            torture --subjects nobody | unknown subject 'nobody', there are hasp-redis-jedis,
            torture --seconds 0       | --seconds is 0, but has to be from 5 to 86400
            torture --threads 0       | --threads is 0, but has to be from 1 to 100
            torture --seed x          | 'x' is not a long
            torture --operator --subjects curator-mutex | --operator is for Hasp's own locks only
            """)
    void wrong_input_gets_one_clear_line_and_exit_code_two(String line, String expected) {
        int exit = hasp(line.split(" "));

        assertThat(exit).isEqualTo(Hasp.WRONG_INPUT);
        assertThat(err.toString().lines())
                .singleElement()
                .asString()
                .startsWith("hasp: ")
                .contains(expected);
    }

    private int hasp(String... arguments) {
        CommandLine line = Hasp.commandLine(new CompareCommand());
        line.setOut(new PrintWriter(out, true));
        line.setErr(new PrintWriter(err, true));
        return line.execute(arguments);
    }
}
