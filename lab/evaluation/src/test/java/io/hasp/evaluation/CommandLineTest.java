package io.hasp.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.hasp.evaluation.measure.ComparisonTier;
import io.hasp.evaluation.measure.Experiment;
import io.hasp.evaluation.measure.Experiments;
import io.hasp.evaluation.measure.Schedule;
import io.hasp.evaluation.subject.Subject;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class CommandLineTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            compare --fast                       | Unknown option: '--fast'
            compare --subjects nobody            | unknown subject 'nobody', there are
            compare --subjects redisson-rlock,x  | unknown subject 'x', there are
            compare --only everything            | 'everything'
            compare --quick --full               | mutually exclusive
            compare --out                        | Missing required parameter for option '--out' (DIR)
            compare --rounds 0                   | --rounds is 0: it has to be from 1 to 100
            compare --rounds many                | Invalid value for option '--rounds': 'many' is not an int
            compare extra                        | 'extra'
            campare                              | 'campare'
            compare --backend http://h           | a backend begins with redis://, redlock://, zookeeper://, postgresql://, not with http:
            compare --backend redis://u:pass@h:x | host and port
            compare --backend redis://u:pass@    | the URI names no host
            compare --backend redis://u:pass@^h  | a backend is a URI, with special characters written as %XX
            compare --backend redis://h?renewedLease=3s | URI parameter 'renewedLease' is refused: a comparison takes [keyPrefix] and sets the others itself
            compare --backend redis://h?commandTimeout=3s | 'commandTimeout' is refused: a comparison takes [keyPrefix] and
            compare --backend redis://h?laese=3s | 'laese' is refused: a comparison takes [keyPrefix] and
            compare --backend redlock://h,i,j?laese=3s | 'laese' is refused: a comparison takes [keyPrefix] and
            compare --backend zookeeper://h?laese=3s | 'laese' is refused: a comparison takes [acl] and
            compare --backend postgres://h/d?laese=3s | 'laese' is refused: a comparison takes [sslcert, sslkey, sslmode, sslrootcert] and
            compare --backend postgresql://u:pass@h | the URI names no database
            compare --backend redlock://u:pass@h | node
            compare --backend zookeeper://u@h    | user:password@
            compare redis://u:pass@h             | Unmatched argument
            compare --backend redis://h --backend redis://i       | more than one --backend is redis://
            compare --backend redis://h --only failover           | --only failover breaks the servers
            compare --backend redis://h --only takeover,stopped   | --only stopped breaks the servers
            compare --servers many                                | 'many' is none of standalone, sentinel, cluster
            compare --servers sentinel --backend redis://h        | --servers is for servers that are started here
            compare --servers sentinel --rtt 1               | the servers themselves tell theirs
            compare --servers cluster --only failover             | a cluster has several
            compare --servers cluster --subjects baseline-redis,curator-mutex | curator-mutex: it takes ZooKeeper (3 servers)
            compare --forks 0                    | --forks is 0: it has to be from 1 to 50
            compare --only held --locks 0        | --locks is 0: it has to be from 1 to 1000000
            compare --only held --locks 1000001  | --locks is 1000001: it has to be from 1 to 1000000
            compare --only held --locks many     | Invalid value for option '--locks': 'many' is not an int
            compare --only fresh --locks 10      | --locks is the number of locks of the experiment held, which does not take part
            compare --only watchdog              | unknown experiment 'watchdog', there are
            compare --seed x                     | Invalid value for option '--seed': 'x' is not a long
            compare --rtt far                    | Invalid value for option '--rtt' (MS): 'far' is not a number of milliseconds
            compare --rtt 0,NaN                  | NaN ms is no round trip: it has to be from 0 to 400.0 ms
            compare --rtt -1                     | -1.0 ms is no round trip: it has to be from 0 to 400.0 ms
            compare --rtt                        | Missing required parameter for option '--rtt' (MS)
            compare --backend redis://h --rtt 1                   | --rtt is for servers that are started here
            compare --only uncontended,failover --rtt 1           | --only failover starts servers of its own
            compare --backend redis://h --subjects curator-mutex  | --subjects curator-mutex needs a --backend zookeeper://
            """)
    void wrong_input_gets_one_clear_line_and_exit_code_two(String line, String expected) {
        int exit = hasp(line.split(" "));

        assertThat(exit).isEqualTo(Hasp.WRONG_INPUT);
        assertThat(err.toString().lines())
                .singleElement()
                .asString()
                .startsWith("hasp: ")
                .contains(expected)
                .doesNotContain("pass@");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void output_that_cannot_be_written_is_refused_before_anything_is_measured() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "");

        int exit = hasp("compare", "--quick", "--out", file.toString());

        assertThat(exit).isEqualTo(Hasp.WRONG_INPUT);
        assertThat(err.toString().lines())
                .singleElement()
                .asString()
                .contains("cannot write results to '" + file + "': it is not a directory");
    }

    @Test
    void help_is_on_standard_output_and_names_every_option_and_subject() {
        assertThat(hasp("compare", "--help")).isZero();
        assertThat(out.toString())
                .contains(
                        "--quick",
                        "--full",
                        "--out",
                        "--only",
                        "--subjects",
                        "--rounds",
                        "--locks",
                        "hasp-redis-redisson",
                        "--backend",
                        "--servers",
                        "--rtt",
                        "--forks",
                        "--seed",
                        "hasp-redis-kept",
                        "hasp-zookeeper-kept")
                .contains(Experiments.ALL.stream().map(Experiment::name).toList());
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void a_baseline_is_also_found_by_its_earlier_name() {
        assertThat(Subject.of("floor-redis")).isEqualTo(Subject.BASELINE_REDIS);
        assertThat(Subject.of("floor-redis-lettuce")).isEqualTo(Subject.BASELINE_REDIS_LETTUCE);
        assertThat(Subject.of("floor-redis-redisson")).isEqualTo(Subject.BASELINE_REDIS_REDISSON);
        assertThat(Subject.of("floor-zookeeper")).isEqualTo(Subject.BASELINE_ZOOKEEPER);
    }

    @Test
    void an_experiment_is_found_in_upper_case_too_and_a_wrong_one_is_answered_with_all_there_are() {
        assertThat(Experiments.of("HandOff")).isEqualTo(Experiments.HANDOFF);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Experiments.of("everything"))
                .withMessageContaining("unknown experiment 'everything', there are uncontended, distinct");
    }

    @Test
    void a_quick_comparison_shows_the_default_lock_of_each_service_beside_its_peer() {
        assertThat(Subject.usual(ComparisonTier.QUICK).map(Subject::label))
                .contains("hasp-redis-jedis", "redisson-rlock", "hasp-zookeeper", "curator-mutex")
                .doesNotContain("hasp-redis-redisson");
    }

    @Test
    void without_a_command_the_help_is_shown() {
        assertThat(hasp()).isZero();
        assertThat(out.toString()).contains("Usage: hasp", "compare");
    }

    @Test
    void the_version_is_one_line() {
        assertThat(hasp("--version")).isZero();
        assertThat(out.toString().lines()).singleElement().asString().startsWith("hasp ");
    }

    private int hasp(String... arguments) {
        Duration second = Duration.ofSeconds(1);
        Schedule unused = new Schedule(1, second, second, second, second);
        CommandLine line = Hasp.commandLine(new CompareCommand(tier -> unused));
        line.setOut(new PrintWriter(out, true));
        line.setErr(new PrintWriter(err, true));
        return line.execute(arguments);
    }
}
