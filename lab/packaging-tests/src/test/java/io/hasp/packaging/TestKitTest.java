package io.hasp.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.processes.ScratchFolder;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The test kit in a project of its own: without a test framework, with JUnit 5, and with JUnit 6. */
@Timeout(900)
@InTier(Tier.STANDARD)
class TestKitTest {
    private static final String PLAIN = """
            import io.hasp.test.TestLocks;
            import java.time.Duration;

            public class App {
                public static void main(String[] args) {
                    try (TestLocks locks = TestLocks.withVirtualTime()) {
                        locks.makeBusy("orders");
                        System.out.println("busy: " + locks.client().lock("orders").tryAcquire().isEmpty());
                        locks.advance(Duration.ofHours(1));
                        locks.assertLocked();
                    }
                }
            }
            """;

    private static final String WITH_JUNIT = """
            import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

            import io.hasp.*;
            import io.hasp.test.*;
            import org.junit.jupiter.api.*;
            import org.junit.platform.launcher.core.*;
            import org.junit.platform.launcher.listeners.*;

            @HaspTest
            public class App {
                @Test
                void busy(TestLocks locks) {
                    locks.makeBusy("orders");
                    Assertions.assertTrue(locks.client().lock("orders").tryAcquire().isEmpty());
                }

                @Test
                void leaks(LockClient client) {
                    Lease lease = client.lock("orders").tryAcquire().orElseThrow();
                    lease.ensureHeld();
                }

                public static void main(String[] args) {
                    SummaryGeneratingListener results = new SummaryGeneratingListener();
                    LauncherFactory.create().execute(
                            LauncherDiscoveryRequestBuilder.request().selectors(selectClass(App.class)).build(), results);
                    System.out.println("succeeded: " + results.getSummary().getTestsSucceededCount());
                    results.getSummary().getFailures().forEach(failure -> System.out.println(
                            failure.getTestIdentifier().getDisplayName() + " failed: " + failure.getException()));
                }
            }
            """;

    @Test
    void strangers_test_their_code_with_it() throws Exception {
        try (ScratchFolder scratch = ScratchFolder.create()) {
            Path shared = Path.of(System.getProperty("hasp.test.repository"));
            LocalRepository repository = LocalRepository.in(scratch.path().resolve("repository"), shared);
            StrangersProject project = new StrangersProject(scratch.path().resolve("project"), repository);

            project.dependsOn("lock-test");
            project.writes(PLAIN);
            assertThat(project.runs("")).contains("busy: true");
            assertThat(project.libraries()).containsExactlyInAnyOrder("lock-api", "lock-memory", "lock-test");

            project.writes(WITH_JUNIT);
            runsWithJUnit(project, "5.14.4", "1.14.4");
            runsWithJUnit(project, "6.0.3", "6.0.3");
        }
    }

    private static void runsWithJUnit(StrangersProject project, String jupiter, String platform) throws Exception {
        project.dependsOn(
                "lock-test",
                "org.junit.jupiter:junit-jupiter:" + jupiter,
                "org.junit.platform:junit-platform-launcher:" + platform);
        assertThat(project.runs(""))
                .as("JUnit " + jupiter)
                .contains("succeeded: 1", "leaks(LockClient) failed: java.lang.AssertionError: a lock is still held")
                .contains("at App.leaks(App.java:");
    }
}
