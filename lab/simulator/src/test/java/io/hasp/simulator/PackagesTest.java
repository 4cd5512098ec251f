package io.hasp.simulator;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The packages of the simulator depend on each other in one direction. */
class PackagesTest {
    private static final String SIMULATOR = "io.hasp.simulator";

    /** Each package may use those after it. */
    private static final List<String> TOP_DOWN = List.of(
            SIMULATOR,
            SIMULATOR + ".checks",
            SIMULATOR + ".clients",
            SIMULATOR + ".network",
            SIMULATOR + ".threads",
            SIMULATOR + ".server",
            SIMULATOR + ".world");

    private static final JavaClasses CLASSES = new ClassFileImporter().importPath(Path.of("target/classes"));

    @Test
    void each_package_has_a_place() {
        assertThat(CLASSES.stream().map(JavaClass::getPackageName).collect(Collectors.toSet()))
                .containsExactlyInAnyOrderElementsOf(TOP_DOWN);
    }

    @Test
    void each_package_knows_only_those_below_it() {
        for (int i = 1; i < TOP_DOWN.size(); i++) {
            knowsNothingOf(TOP_DOWN.get(i), TOP_DOWN.subList(0, i));
        }
    }

    @Test
    void threads_and_server_do_not_know_each_other() {
        knowsNothingOf(SIMULATOR + ".threads", List.of(SIMULATOR + ".server"));
    }

    private static void knowsNothingOf(String packageName, List<String> others) {
        noClasses()
                .that()
                .resideInAPackage(packageName)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(others.toArray(String[]::new))
                .check(CLASSES);
    }
}
