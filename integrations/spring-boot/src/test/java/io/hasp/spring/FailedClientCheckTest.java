package io.hasp.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hasp.ClientClosedException;
import io.hasp.ClientOptions;
import io.hasp.LockClient;
import io.hasp.spi.Capabilities;
import io.hasp.spi.LockBackend;
import io.hasp.spring.actuator.LockClientsCheck;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The health check of a client that an error has ended. */
class FailedClientCheckTest {
    private static LockBackend broken() {
        return (LockBackend) Proxy.newProxyInstance(
                LockBackend.class.getClassLoader(),
                new Class<?>[] {LockBackend.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "acquire" -> throw new OutOfMemoryError("of the test");
                    case "capabilities" -> Capabilities.of(Capabilities.Ordering.NONE, Capabilities.Enforcement.LEASE);
                    case "tokenFloor" -> Optional.empty();
                    default -> null;
                });
    }

    @Test
    void it_is_down_and_says_why() {
        try (LockClient client = LockClient.over(context -> broken(), ClientOptions.defaults())) {
            assertThatThrownBy(() -> client.lock("a").tryAcquire()).isInstanceOf(ClientClosedException.class);

            LockClientsCheck.Result result = new LockClientsCheck(Map.of("locks", client)).run();

            assertThat(result.up()).isFalse();
            assertThat(result.details().get("locks")).contains("failed").contains("of the test");
        }
    }
}
