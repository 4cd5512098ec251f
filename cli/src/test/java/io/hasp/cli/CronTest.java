package io.hasp.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.faults.FaultProxy;
import io.hasp.conformance.faults.NetworkNamespace;
import io.hasp.conformance.processes.ScratchFolder;
import io.hasp.conformance.servers.RedisServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The crontab in docs/command-line.md, run as cron runs it: by sh, with next to no environment, on two hosts at the same time. */
@InTier(Tier.STANDARD)
class CronTest {
    private static final Pattern CRONTAB =
            Pattern.compile("```crontab\n(HASP_URI=\\S+)\n\\S+ \\S+ \\S+ \\S+ \\S+ +(.+)\n```");

    @Test
    void a_job_in_the_crontab_of_two_hosts_runs_once() throws Exception {
        Optional<String> missing = NetworkNamespace.missing();
        assumeThat(missing).as("%s", missing.orElse("")).isEmpty();
        try (RedisServer redis = RedisServer.start();
                ScratchFolder folder = ScratchFolder.create();
                NetworkNamespace first = NetworkNamespace.open();
                NetworkNamespace second = NetworkNamespace.open();
                FaultProxy toFirst = proxy(first, redis);
                FaultProxy toSecond = proxy(second, redis)) {
            Path runs = folder.path().resolve("runs");
            String job = job(folder.path(), runs);
            try (HaspProcess one = cron(first, toFirst, job);
                    HaspProcess other = cron(second, toSecond, job)) {
                assertThat(one.exit()).isZero();
                assertThat(other.exit()).isZero();
                // Cron sends what a job prints. The host that comes second says that the lock is busy.
                assertThat(one.out() + other.out()).isEmpty();
                assertThat(one.err() + other.err()).isEqualTo("hasp: lock 'nightly' is busy\n");
            }
            assertThat(Files.readAllLines(runs)).hasSize(1);
        }
    }

    /** The line of the page, with programs of this test. */
    private static String job(Path folder, Path runs) throws IOException {
        Matcher crontab = CRONTAB.matcher(Files.readString(Path.of("../docs/command-line.md")));
        assertThat(crontab.find()).isTrue();
        assertThat(crontab.group(1)).isEqualTo("HASP_URI=redis://db1:6379");
        Path report = HaspScript.executable(folder.resolve("report"), "#!/bin/sh\necho run >>" + runs + "\nsleep 20\n");
        return crontab.group(2)
                .replace("/usr/local/bin/hasp", HaspScript.in(folder).toString())
                .replace("/opt/app/report.sh", report.toString());
    }

    private static HaspProcess cron(NetworkNamespace host, FaultProxy redis, String job) {
        String uri = "HASP_URI=redis://" + host.outsideAddress().getHostAddress() + ":" + redis.port();
        List<String> command =
                new ArrayList<>(List.of("env", "-i", "PATH=/usr/bin:/bin", "HOME=/", uri, "sh", "-c", job));
        return HaspProcess.ofProgram(Map.of(), host.inside(command).toArray(String[]::new));
    }

    private static FaultProxy proxy(NetworkNamespace of, RedisServer redis) {
        return FaultProxy.before(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), redis.port()), of.outsideAddress());
    }
}
