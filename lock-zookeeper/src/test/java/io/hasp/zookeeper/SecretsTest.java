package io.hasp.zookeeper;

import io.hasp.conformance.HiddenPasswords;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Passwords that are not percent-encoded, of which no message, cause or suppressed exception shows a part. */
class SecretsTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "zookeeper://user:SECRET@127.0.0.1:99999",
                "zookeeper://user:SECRET@no host?connectionTimeout=5ms",
                "zookeeper:user:SECRET@127.0.0.1:1",
                "zookeeper://127.0.0.1:99999?tls=true&trustStore=/none&trustStorePassword=SECRET"
            })
    void no_part_of_a_password_is_shown(String uri) {
        HiddenPasswords.requireIn(uri);
    }
}
