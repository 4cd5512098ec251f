package io.hasp.examples.guice;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.Lease;
import io.hasp.LockClient;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.examples.Printed;
import org.junit.jupiter.api.Test;

class ShippingTest {

    @Test
    void one_of_two_instances_ships_an_order() throws Exception {
        try (RedisServer redis = RedisServer.start();
                LockClient other = LockClient.connect(redis.uri());
                Lease lease = other.lock("orders/41").acquire();
                Printed printed = Printed.fromNow()) {
            Shipping.main(new String[] {redis.uri()});
            assertThat(lease.remaining()).isPositive();
            assertThat(printed.text())
                    .containsPattern("another instance ships this order\\R+shipped order 42, with token \\d+");
        }
    }
}
