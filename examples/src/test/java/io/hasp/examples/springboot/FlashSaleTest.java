package io.hasp.examples.springboot;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.servers.RedisServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Not one item is oversold, with real processes, HTTP, database and Redis. */
@Timeout(240)
class FlashSaleTest {

    @Test
    void nothing_is_oversold_when_an_instance_is_killed() throws Exception {
        try (RedisServer redis = RedisServer.start()) {
            FlashSale.Result result = FlashSale.run(redis.port());
            assertThat(result.leftOver()).as("%s", result).isZero();
            assertThat(result.sales()).as("%s", result).isEqualTo(FlashSale.STOCK);
            assertThat(result.confirmed())
                    .as("a sale that was confirmed is in the database: %s", result)
                    .isLessThanOrEqualTo(result.sales());
            assertThat(result.counts()).as("runs of the job: %s", result).isPositive();
            assertThat(result.ofFirst()).as("%s", result).isBetween(1, FlashSale.STOCK - 1);
        }
    }
}
