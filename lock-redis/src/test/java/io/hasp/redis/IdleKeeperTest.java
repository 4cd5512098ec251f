package io.hasp.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.ClientOptions;
import io.hasp.LockClient;
import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.rules.support.IdleKeeper;
import io.hasp.conformance.servers.RedisServer;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The costs of a client that keeps many locks and uses none. */
@InTier(Tier.STANDARD)
class IdleKeeperTest {
    private static final int NAMES = 10_000;

    @ParameterizedTest
    @EnumSource(Through.class)
    void ten_thousand_kept_locks_need_hardly_any_processor_time(Through library) throws Exception {
        Duration keep = Duration.ofMinutes(1);
        try (RedisServer server = RedisServer.start();
                LockClient client = LockClient.over(
                        library.source(server, Duration.ofSeconds(5)),
                        ClientOptions.defaults()
                                .renewedLease(keep.multipliedBy(3))
                                .keep(keep))) {
            double before = IdleKeeper.shareOfCore(Duration.ofSeconds(2));
            IdleKeeper.use(client, NAMES);

            double share = IdleKeeper.shareOfCore(Duration.ofSeconds(4)) - before;

            System.err.printf("%d kept locks through %s: %.4f of a core, beside %.4f%n", NAMES, library, share, before);
            assertThat(server.command("DBSIZE"))
                    .asString()
                    .satisfies(keys -> assertThat(Long.parseLong(keys)).isGreaterThanOrEqualTo(NAMES));
            assertThat(share).isLessThan(0.01);
        }
    }
}
