package io.hasp.spring;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import org.junit.jupiter.api.Test;

/** Few classes refer to optional libraries, and their configurations check for these libraries first. */
class ArchitectureTest {
    private static final JavaClasses HASP =
            new ClassFileImporter().withImportOption(new DoNotIncludeTests()).importPackages("io.hasp.spring");

    @Test
    void the_classes_are_looked_at() {
        assertThat(HASP.stream().map(JavaClass::getSimpleName)).contains("LettuceSource", "LockedBeans");
    }

    @Test
    void each_library_is_known_to_its_own_source_of_connections() {
        onlyKnownTo(
                "LettuceSource|LettuceAddress|ConnectionSources\\$OfLettuce",
                "io.lettuce..",
                "org.springframework.data.redis.connection.lettuce..");
        onlyKnownTo(
                "JedisSource|ConnectionSources\\$OfJedis",
                "redis.clients..",
                "org.springframework.data.redis.connection.jedis..");
        onlyKnownTo("RedissonSource|ConnectionSources\\$OfRedisson", "org.redisson..");
        onlyKnownTo("CuratorSource|ConnectionSources\\$OfCurator", "org.apache.curator..", "io.hasp.zookeeper..");
        onlyKnownTo(
                "DataSource(Source|Fence)|ConnectionSources\\$OfDataSource",
                "io.hasp.postgres..",
                "com.zaxxer..",
                "javax.sql..",
                "org.springframework.jdbc..");
        onlyKnownTo(
                "(Lettuce|Jedis)Source|LettuceAddress|SameServer|ConnectionSources\\$Of(Lettuce|Jedis)",
                "org.springframework.data..");
        onlyKnownTo(
                "(Lettuce|Jedis|Redisson|RedisProperties)Source|RedisSettings|SameServer|ConnectionSources\\$Of(Lettuce|Jedis|Redisson|Properties)",
                "io.hasp.redis..");
    }

    @Test
    void what_is_not_in_every_application_is_known_to_its_own_configuration() {
        onlyKnownTo(
                "EnclosingTransaction(\\$1)?|CommitCheck|DataSourceFence|LockedAutoConfiguration\\$InTransactions",
                "org.springframework.transaction..");
        onlyKnownTo("Locks?Endpoint.*", "org.springframework.boot.actuate..");
        onlyKnownTo("LockHealth.*", "org.springframework.boot.health..");
        onlyKnownTo("Lock(Metrics|Observations)AutoConfiguration", "io.micrometer..", "io.hasp.micrometer..");
    }

    /** Spring Boot 3 has other ones. */
    @Test
    void nothing_of_boots_modules_for_redis_is_known_at_all() {
        onlyKnownTo("", "org.springframework.boot.data..", "org.springframework.boot.autoconfigure.data..");
    }

    private static void onlyKnownTo(String classes, String... packages) {
        noClasses()
                .that()
                .haveNameNotMatching("io\\.hasp\\.spring\\.(?:\\w+\\.)?(" + classes + ")")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(packages)
                .check(HASP);
    }
}
