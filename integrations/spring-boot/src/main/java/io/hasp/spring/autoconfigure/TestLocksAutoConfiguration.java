package io.hasp.spring.autoconfigure;

import io.hasp.LockClient;
import io.hasp.spring.connection.ClientOpener;
import io.hasp.test.TestLocks;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;

/** The lock service of a test, for {@link AutoConfigureTestLocks} only. Its client has the options of the application. */
@AutoConfiguration(before = HaspAutoConfiguration.class)
@ConditionalOnClass(TestLocks.class)
public final class TestLocksAutoConfiguration {
    private static final String CLIENT = "lockClient";

    TestLocksAutoConfiguration() {}

    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean
    static TestLocks testLocks(ClientOpener opener) {
        return TestLocks.create(opener.options(CLIENT));
    }

    /** {@link TestLocks} closes it. */
    @Bean(name = CLIENT, destroyMethod = "")
    @Primary
    @ConditionalOnMissingBean
    static LockClient lockClient(TestLocks locks) {
        return locks.client();
    }
}
