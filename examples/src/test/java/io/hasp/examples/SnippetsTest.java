package io.hasp.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.LIST;

import io.hasp.conformance.servers.RedisServer;
import io.hasp.examples.Documents.Snippet;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every Java snippet of a document is run. Statements are compiled as they stand in the document and run against a real Redis.
 * A piece of a class stands, word for word, in a source of this module that a test of its own runs.
 */
class SnippetsTest {
    private static final String JAVA = "src/main/java/io/hasp/examples/";
    private static final String TESTS = "src/test/java/io/hasp/examples/";

    /** The sources of quoted pieces of classes, and the test that runs each source. */
    private static final Map<String, String> RUN_BY = Map.ofEntries(
            Map.entry(JAVA + "counter/Worker.java", "counter.CounterTest"),
            Map.entry(JAVA + "fencing/Account.java", "fencing.DepositTest"),
            Map.entry(JAVA + "fencing/Deposit.java", "fencing.DepositTest"),
            Map.entry(JAVA + "payout/Payout.java", "payout.PayoutTest"),
            Map.entry(JAVA + "guice/Shipping.java", "guice.ShippingTest"),
            Map.entry(JAVA + "job/Job.java", "job.JobTest"),
            Map.entry(JAVA + "leader/Leader.java", "leader.LeaderTest"),
            Map.entry(JAVA + "moving/BothLocks.java", "moving.MoveTest"),
            Map.entry(JAVA + "quickstart/QuickStart.java", "quickstart.QuickStartTest"),
            Map.entry(JAVA + "reports/Reports.java", "reports.ReportsTest"),
            Map.entry(JAVA + "springboot/Stock.java", "springboot.FlashSaleTest"),
            Map.entry(JAVA + "springboot/StockCount.java", "springboot.FlashSaleTest"),
            Map.entry(JAVA + "sql/SqlBackend.java", "sql.SqlBackendTest"),
            Map.entry(JAVA + "tariff/PriceChange.java", "tariff.PriceChangeTest"),
            Map.entry(JAVA + "tariff/Tariff.java", "tariff.PriceChangeTest"),
            Map.entry(JAVA + "transfer/Transfer.java", "transfer.TransferTest"),
            Map.entry(TESTS + "job/JobTest.java", "job.JobTest"),
            Map.entry(TESTS + "sql/SqlBackendTest.java", "sql.SqlBackendTest"),
            Map.entry(TESTS + "testing/NewsletterTest.java", "testing.NewsletterTest"),
            Map.entry(TESTS + "transfer/TransferTest.java", "transfer.TransferTest"));

    @TempDir
    private Path folder;

    static Stream<Snippet> snippets() throws IOException {
        return Documents.all().stream().flatMap(Documents::snippets);
    }

    @ParameterizedTest
    @MethodSource("snippets")
    @Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void every_java_snippet_is_run(Snippet snippet) throws Exception {
        if (!standsInASourceThatATestRuns(snippet) && !isTheLockThatATestCompiles(snippet)) {
            try (RedisServer redis = RedisServer.start()) {
                Statements.in(folder).run(snippet.code(), redis.uri(), System.getProperty("java.class.path"));
                assertThat(redis.command("KEYS", "hasp:{*}"))
                        .as("locks that the snippet left taken")
                        .asInstanceOf(LIST)
                        .isEmpty();
            }
        }
    }

    @Test
    void the_first_screen_is_run_as_it_stands() {
        assertThat(Documents.snippets(Documents.ROOT.resolve("README.md")))
                .isNotEmpty()
                .allSatisfy(snippet ->
                        assertThat(standsInASourceThatATestRuns(snippet)).isFalse());
    }

    @Test
    void the_tests_that_run_the_sources_exist() {
        assertThat(RUN_BY.values())
                .allSatisfy(test ->
                        assertThat(Class.forName("io.hasp.examples." + test)).isNotNull());
    }

    /** A whole file, which the test of the comparison makes a stranger's jar of. */
    private static boolean isTheLockThatATestCompiles(Snippet snippet) {
        String page = "docs/your-own-lock.md";
        String test = Documents.read(
                Documents.ROOT.resolve("lab/evaluation/src/test/java/io/hasp/evaluation/StrangersLockTest.java"));
        return snippet.code().stripLeading().startsWith("package ")
                && snippet.document().equals(Documents.ROOT.resolve(page))
                && test.contains(page.substring(page.indexOf('/') + 1));
    }

    private static boolean standsInASourceThatATestRuns(Snippet snippet) {
        return RUN_BY.keySet().stream()
                .map(source -> Documents.normal(Documents.read(Path.of(source))))
                .anyMatch(source -> source.contains(Documents.normal(snippet.code())));
    }
}
