package io.hasp.evaluation;

import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import io.hasp.spi.LockBackend;
import io.hasp.spi.LogQueue;
import io.hasp.spi.Timing;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The layers: user → io.hasp → io.hasp.engine → io.hasp.spi ← backend, never the other way. */
class ArchitectureTest {
    private static final JavaClasses HASP =
            new ClassFileImporter().withImportOption(new DoNotIncludeTests()).importPackages("io.hasp");

    private static final DescribedPredicate<JavaClass> OTHERS_OF_HASP =
            resideInAnyPackage("io.hasp..").and(resideOutsideOfPackages("io.hasp.spi.."));

    @Test
    void all_modules_are_looked_at() {
        List<String> packages = List.of(
                "io.hasp",
                "io.hasp.engine",
                "io.hasp.spi",
                "io.hasp.memory",
                "io.hasp.redis",
                "io.hasp.redis.script",
                "io.hasp.redis.server",
                "io.hasp.redis.redlock",
                "io.hasp.zookeeper",
                "io.hasp.guice",
                "io.hasp.locked",
                "io.hasp.locked.spi",
                "io.hasp.micrometer",
                "io.hasp.spring.integration",
                "io.hasp.conformance",
                "io.hasp.evaluation");
        assertThat(HASP.stream().map(JavaClass::getPackageName).collect(Collectors.toSet()))
                .containsAll(packages);
    }

    @Test
    void there_is_no_cycle_between_packages() {
        slices().assignedFrom(new EachPackage()).should().beFreeOfCycles().check(HASP);
    }

    /** It may be full of work that waits for a lock. */
    @Test
    void nothing_runs_on_the_common_pool() {
        noClasses()
                .that(resideInAnyPackage(
                        "io.hasp",
                        "io.hasp.engine..",
                        "io.hasp.spi..",
                        "io.hasp.memory..",
                        "io.hasp.redis..",
                        "io.hasp.zookeeper.."))
                .should()
                .callMethodWhere(target(runsOnTheCommonPool()))
                .check(HASP);
    }

    /** A logger may block, and its caller may be a thread that all leases need. */
    @Test
    void only_the_queue_of_log_lines_writes_to_a_logger() {
        noClasses()
                .that(resideInAnyPackage(
                        "io.hasp",
                        "io.hasp.engine..",
                        "io.hasp.spi..",
                        "io.hasp.memory..",
                        "io.hasp.redis..",
                        "io.hasp.zookeeper.."))
                .and()
                .doNotBelongToAnyOf(LogQueue.class)
                .should()
                .callMethodWhere(target(DescribedPredicate.describe(
                        "writes to a logger",
                        target -> target.getName().equals("log")
                                && target.getOwner().isEquivalentTo(System.Logger.class))))
                .check(HASP);
    }

    private static DescribedPredicate<AccessTarget> runsOnTheCommonPool() {
        return DescribedPredicate.describe("runs a task on the common pool", target -> {
            boolean ofFutures = target.getOwner().isAssignableTo(CompletionStage.class);
            boolean async =
                    target.getName().endsWith("Async") || target.getName().equals("delayedExecutor");
            boolean given = ((AccessTarget.CodeUnitAccessTarget) target)
                    .getRawParameterTypes().stream().anyMatch(type -> type.isEquivalentTo(Executor.class));
            return target.getName().equals("commonPool") || (ofFutures && async && !given);
        });
    }

    @Test
    void the_backend_contract_knows_nothing_else_of_hasp() {
        noClasses()
                .that()
                .resideInAPackage("io.hasp.spi..")
                .should()
                .dependOnClassesThat(OTHERS_OF_HASP)
                .check(HASP);
    }

    @Test
    void the_engine_does_not_know_the_api_above_it() {
        noClasses()
                .that()
                .resideInAPackage("io.hasp.engine..")
                .should()
                .dependOnClassesThat(resideInAnyPackage("io.hasp..")
                        .and(resideOutsideOfPackages("io.hasp.engine..", "io.hasp.spi..")))
                .check(HASP);
    }

    @Test
    void the_engines_packages_know_only_those_below_them() {
        onlyBelow("io.hasp.engine.driver", "io.hasp.engine");
        onlyBelow("io.hasp.engine.guard", "io.hasp.engine", "io.hasp.engine.driver");
        onlyBelow("io.hasp.engine.machine", "io.hasp.engine", "io.hasp.engine.driver", "io.hasp.engine.guard");
        String[] above = {"io.hasp.engine", "io.hasp.engine.driver", "io.hasp.engine.guard", "io.hasp.engine.machine"};
        onlyBelow("io.hasp.engine.lease", above);
        onlyBelow("io.hasp.engine.threads", above);
        onlyBelow("io.hasp.engine.threads", "io.hasp.engine.lease");
    }

    private static void onlyBelow(String packageName, String... above) {
        noClasses()
                .that()
                .resideInAPackage(packageName)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(above)
                .check(HASP);
    }

    @Test
    void the_machine_has_no_thread_clock_or_io() {
        noClasses()
                .that()
                .resideInAPackage("io.hasp.engine.machine")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.io", "java.nio..", "java.net..", "java.util.concurrent.locks")
                .orShould()
                .dependOnClassesThat()
                .belongToAnyOf(Thread.class, Executor.class, Timing.class, LockBackend.class)
                .orShould()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethodWhere(target(DescribedPredicate.describe(
                        "waits for a future, or calls back on it",
                        target -> target.getOwner().isAssignableTo(CompletionStage.class))))
                .check(HASP);
    }

    @Test
    void the_packages_of_the_zookeeper_backend_know_only_those_below_them() {
        String packageName = "io.hasp.zookeeper";
        onlyBelow(packageName + ".readers", packageName);
        onlyBelow(packageName + ".recipe", packageName, packageName + ".readers");
        onlyBelow(packageName + ".session", packageName, packageName + ".readers", packageName + ".recipe");
        onlyBelow(
                packageName + ".layout",
                packageName,
                packageName + ".readers",
                packageName + ".recipe",
                packageName + ".session");
    }

    @Test
    void there_is_no_cycle_between_the_files_of_the_engine() {
        slices().assignedFrom(new EachFileOf("io.hasp.engine"))
                .should()
                .beFreeOfCycles()
                .check(HASP);
    }

    @Test
    void there_is_no_cycle_between_the_files_of_the_redis_backend() {
        slices().assignedFrom(new EachFileOf("io.hasp.redis"))
                .should()
                .beFreeOfCycles()
                .check(HASP);
    }

    @Test
    void the_redis_backends_internal_packages_do_not_know_what_its_users_see() {
        noClasses()
                .that()
                .resideInAPackage("io.hasp.redis.*..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.hasp.redis")
                .check(HASP);
    }

    @Test
    void each_redis_library_is_known_to_its_own_package_and_not_to_the_others() {
        internals(outside("io.hasp.redis.redisson"), "io.hasp.redis.redisson", "org.redisson..");
        internals(outside("io.hasp.redis.lettuce"), "io.hasp.redis.lettuce", "io.lettuce..");
        internals(outside("io.hasp.redis.redisson", "io.hasp.redis.lettuce"), "io.netty..");
        noClasses()
                .that()
                .resideInAnyPackage(
                        "io.hasp.redis.lettuce",
                        "io.hasp.redis.redisson",
                        "io.hasp.redis.server",
                        "io.hasp.redis.holder",
                        "io.hasp.redis.script")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.hasp.redis.jedis", "redis.clients..")
                .check(HASP);
    }

    private static DescribedPredicate<JavaClass> outside(String... packages) {
        return resideInAnyPackage("io.hasp.redis.*..").and(resideOutsideOfPackages(packages));
    }

    private static void internals(DescribedPredicate<JavaClass> classes, String... strangers) {
        noClasses()
                .that(classes)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(strangers)
                .check(HASP);
    }

    /** {@code VirtualTime} is no part of a backend: a test gives it to its clients as well as to the memory server. */
    @Test
    void a_backend_knows_the_contract_and_not_the_engine_above_it() {
        noClasses()
                .that()
                .resideInAnyPackage("io.hasp.memory..", "io.hasp.redis..", "io.hasp.zookeeper..")
                .and()
                .haveNameNotMatching("io\\.hasp\\.memory\\.VirtualTime(\\$VirtualTimer)?")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.hasp", "io.hasp.engine..")
                .check(HASP);
    }

    @Test
    void the_api_and_the_engine_know_no_backend_and_no_library() {
        noClasses()
                .that()
                .resideInAnyPackage("io.hasp", "io.hasp.locked..", "io.hasp.engine..", "io.hasp.spi..")
                .should()
                .dependOnClassesThat(resideOutsideOfPackages(
                        "io.hasp",
                        "io.hasp.locked..",
                        "io.hasp.engine..",
                        "io.hasp.spi..",
                        "java..",
                        "jdk.jfr",
                        "org.jspecify.."))
                .check(HASP);
    }

    /** A JVM may have no flight recorder. Whatever else has a type of it in a signature may be loaded in such a JVM. */
    @Test
    void only_the_events_themselves_know_the_flight_recorder() {
        noClasses()
                .that()
                .haveNameNotMatching("io\\.hasp\\.(FlightEvents(\\$.*)?|evaluation\\..*)")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("jdk.jfr..")
                .check(HASP);
        noClasses()
                .that()
                .haveNameNotMatching("io\\.hasp\\.FlightEvents(\\$.*)?")
                .should()
                .dependOnClassesThat()
                .haveNameMatching("io\\.hasp\\.FlightEvents\\$.*")
                .check(HASP);
    }

    @Test
    void metrics_know_what_users_know_and_only_they_know_micrometer() {
        noClasses()
                .that()
                .resideInAPackage("io.hasp.micrometer..")
                .should()
                .dependOnClassesThat(resideInAnyPackage("io.hasp..")
                        .and(resideOutsideOfPackages("io.hasp", "io.hasp.locked..", "io.hasp.micrometer..")))
                .check(HASP);
        noClasses()
                .that()
                .resideOutsideOfPackages("io.hasp.micrometer..", "io.hasp.spring..", "io.hasp.evaluation..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.micrometer..")
                .check(HASP);
    }

    @Test
    void only_the_redis_backend_knows_redis_libraries() {
        clientLibraryOf("io.hasp.redis..", "org.redisson..", "redis.clients..", "io.lettuce..", "io.netty..");
    }

    @Test
    void only_the_zookeeper_backend_knows_zookeeper_libraries() {
        clientLibraryOf("io.hasp.zookeeper..", "org.apache.curator..", "org.apache.zookeeper..");
    }

    /** The suite and the evaluation may: they start servers, break them, and measure these very libraries as peers. */
    private static void clientLibraryOf(String backend, String... libraries) {
        noClasses()
                .that()
                .resideOutsideOfPackages(backend, "io.hasp.conformance..", "io.hasp.evaluation..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(libraries)
                .check(HASP);
    }

    @Test
    void of_redisson_only_what_it_offers_to_its_users_is_used() {
        DescribedPredicate<JavaClass> insides = resideInAnyPackage("org.redisson..")
                .and(resideOutsideOfPackages(
                        "org.redisson.api..", "org.redisson.config..", "org.redisson.client..", "org.redisson.codec.."))
                .and(DescribedPredicate.not(JavaClass.Predicates.type(org.redisson.Redisson.class)))
                // The only way to sockets with the options of an application's client.
                .and(DescribedPredicate.not(JavaClass.Predicates.type(org.redisson.redisnode.RedisNode.class)));
        noClasses().should().dependOnClassesThat(insides).check(HASP);
    }

    @Test
    void of_lettuce_only_what_its_documentation_names_is_used() {
        noClasses()
                .that()
                .resideInAPackage("io.hasp.redis..")
                .should()
                .dependOnClassesThat(resideInAnyPackage("io.lettuce..")
                        .and(resideOutsideOfPackages(
                                "io.lettuce.core",
                                "io.lettuce.core.api..",
                                "io.lettuce.core.codec",
                                "io.lettuce.core.metrics",
                                "io.lettuce.core.output",
                                "io.lettuce.core.protocol",
                                "io.lettuce.core.pubsub..",
                                "io.lettuce.core.resource",
                                "io.lettuce.core.sentinel.api..",
                                "io.lettuce.core.cluster")))
                .check(HASP);
    }

    @Test
    void the_suite_depends_on_no_backend() {
        noClasses()
                .that()
                .resideInAPackage("io.hasp.conformance..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.hasp.memory..", "io.hasp.redis..", "io.hasp.zookeeper..", "io.hasp.evaluation..")
                .check(HASP);
    }

    /**
     * So that an hour more or less on a client's clock changes nothing: leases and waits count from the monotonic one. The wall clock
     * is only compared with that one, to notice that a machine was suspended. An {@code Instant} is a value of a server's clock, for an
     * operator.
     */
    @Test
    void le9_nothing_in_a_client_can_see_a_wall_clock() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        "io.hasp",
                        "io.hasp.locked..",
                        "io.hasp.engine..",
                        "io.hasp.spi..",
                        "io.hasp.memory..",
                        "io.hasp.redis..",
                        "io.hasp.zookeeper..")
                .and()
                .doNotHaveFullyQualifiedName("io.hasp.engine.threads.SystemTiming")
                .should()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .dependOnClassesThat()
                .haveFullyQualifiedName("java.util.Date")
                .orShould()
                .dependOnClassesThat(JavaClass.Predicates.resideInAPackage("java.time")
                        .and(DescribedPredicate.not(JavaClass.Predicates.type(java.time.Duration.class)))
                        .and(DescribedPredicate.not(JavaClass.Predicates.type(java.time.Instant.class))))
                .orShould()
                .callMethodWhere(target(DescribedPredicate.describe(
                        "reads the clock for an instant",
                        target -> target.getName().equals("now")
                                && target.getOwner().isEquivalentTo(java.time.Instant.class))))
                .check(HASP);
        methods()
                .that()
                .haveName("wallClockNanos")
                .should()
                .onlyBeCalled()
                .byClassesThat()
                .haveNameMatching("io\\.hasp\\.(GivenTiming|engine\\.driver\\.SharedServices)")
                .check(HASP);
    }

    private static final class EachPackage implements SliceAssignment {
        @Override
        public SliceIdentifier getIdentifierOf(JavaClass type) {
            return SliceIdentifier.of(type.getPackageName());
        }

        @Override
        public String getDescription() {
            return "packages";
        }
    }

    /** A file of a package, or of those below it, is a top-level type with the types inside it. The state of one name has several. */
    private record EachFileOf(String packageName) implements SliceAssignment {
        private static final Set<String> PARTS_OF_STATE =
                Set.of("Leases", "ExclusiveLease", "SharedLeases", "PendingReleases");

        @Override
        public SliceIdentifier getIdentifierOf(JavaClass type) {
            if (!type.getPackageName().equals(packageName)
                    && !type.getPackageName().startsWith(packageName + ".")) {
                return SliceIdentifier.ignore();
            }
            JavaClass outer = type;
            while (outer.getEnclosingClass().isPresent()) {
                outer = outer.getEnclosingClass().get();
            }
            return SliceIdentifier.of(
                    PARTS_OF_STATE.contains(outer.getSimpleName())
                            ? outer.getPackageName() + ".LockState"
                            : outer.getName());
        }

        @Override
        public String getDescription() {
            return "files of " + packageName;
        }
    }
}
