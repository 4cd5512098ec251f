package io.hasp.evaluation;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.core.domain.JavaTypeVariable;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Capabilities;
import io.hasp.spi.Grant;
import io.hasp.spi.Signal;
import io.hasp.spi.SignalListener;
import io.hasp.spi.Timing;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Users' API has no types of the backend contract or the engine, except those that select a backend or come from one as a value. */
class PublicSignaturesTest {
    private static final Set<String> CALLED_BY_USERS = Set.of("io.hasp", "io.hasp.guice", "io.hasp.locked");
    private static final Set<String> HIDDEN = Set.of("io.hasp.engine", "io.hasp.spi");

    /**
     * A backend that the program makes itself, from a config record or a connection that it has, is a {@code BackendSource}. The findings
     * about a service are those of its backend.
     */
    private static final Map<String, String> OF_BACKENDS = Map.of(
            "io.hasp.LockClient.diagnose(java.lang.String)",
            "[io.hasp.spi.Finding]",
            "io.hasp.LockClient.over(io.hasp.spi.BackendSource, io.hasp.ClientOptions)",
            "[io.hasp.spi.BackendSource]",
            "io.hasp.guice.HaspModule.over(io.hasp.spi.BackendSource, io.hasp.ClientOptions)",
            "[io.hasp.spi.BackendSource]");

    @Test
    void users_see_of_the_contract_and_the_engine_only_what_they_choose_a_backend_by() {
        List<JavaClass> seen = new ClassFileImporter()
                .withImportOption(new DoNotIncludeTests()).importPackages("io.hasp").stream()
                        .filter(type -> CALLED_BY_USERS.contains(type.getPackageName()))
                        .filter(PublicSignaturesTest::isVisible)
                        .toList();
        assertThat(seen.stream().map(JavaClass::getPackageName).collect(Collectors.toSet()))
                .isEqualTo(CALLED_BY_USERS);
        assertThat(named(seen)).isEqualTo(OF_BACKENDS);
    }

    @Test
    void no_part_of_a_signature_escapes_the_look() {
        JavaClass planted = new ClassFileImporter().importClasses(Planted.class).get(Planted.class);
        String name = Planted.class.getName();
        assertThat(named(List.of(planted)))
                .containsOnlyKeys(
                        name,
                        name + ".<init>(io.hasp.spi.Grant)",
                        name + ".field",
                        name + ".inArguments()",
                        name + ".thrown()",
                        name + ".bound(java.lang.Comparable)");
    }

    /** Shows a type of the contract in every place where one can stand. */
    public abstract static class Planted implements SignalListener {
        public final Capabilities field = Capabilities.of(Capabilities.Ordering.NONE, Capabilities.Enforcement.LEASE);

        protected Planted(Grant parameter) {}

        public abstract Optional<Timing> inArguments();

        protected abstract void thrown() throws BackendFailure;

        public abstract <T extends Comparable<Signal>> void bound(T other);

        abstract Capabilities hidden();
    }

    private static boolean isVisible(JavaClass type) {
        return type.getModifiers().contains(JavaModifier.PUBLIC)
                && type.getEnclosingClass().map(PublicSignaturesTest::isVisible).orElse(true);
    }

    /** The types and members that name a hidden type, and which. */
    private static Map<String, String> named(List<JavaClass> types) {
        Map<String, String> named = new TreeMap<>();
        for (JavaClass type : types) {
            note(named, type.getFullName(), ofDeclaration(type));
            type.getMembers().stream()
                    .filter(PublicSignaturesTest::isVisible)
                    .forEach(member -> note(named, member.getFullName(), ofSignature(member)));
        }
        return named;
    }

    private static void note(Map<String, String> named, String what, Stream<JavaClass> shown) {
        List<String> hidden = shown.filter(type -> isHidden(type.getPackageName()))
                .map(JavaClass::getFullName)
                .distinct()
                .sorted()
                .toList();
        if (!hidden.isEmpty()) {
            named.put(what, hidden.toString());
        }
    }

    private static boolean isVisible(JavaMember member) {
        return member.getModifiers().contains(JavaModifier.PUBLIC)
                || member.getModifiers().contains(JavaModifier.PROTECTED);
    }

    private static Stream<JavaClass> ofDeclaration(JavaClass type) {
        Stream<JavaType> above = Stream.concat(type.getSuperclass().stream(), type.getInterfaces().stream());
        return Stream.concat(
                above.flatMap(each -> each.getAllInvolvedRawTypes().stream()), ofBounds(type.getTypeParameters()));
    }

    private static Stream<JavaClass> ofSignature(JavaMember member) {
        Set<JavaClass> shown = new HashSet<>(member.getAllInvolvedRawTypes());
        if (member instanceof JavaCodeUnit unit) {
            shown.addAll(unit.getExceptionTypes());
            ofBounds(unit.getTypeParameters()).forEach(shown::add);
        }
        return shown.stream();
    }

    private static Stream<JavaClass> ofBounds(List<? extends JavaTypeVariable<?>> parameters) {
        return parameters.stream()
                .flatMap(parameter -> parameter.getUpperBounds().stream())
                .flatMap(bound -> bound.getAllInvolvedRawTypes().stream());
    }

    private static boolean isHidden(String packageName) {
        return HIDDEN.stream().anyMatch(each -> packageName.equals(each) || packageName.startsWith(each + "."));
    }
}
