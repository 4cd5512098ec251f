package io.hasp.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.processes.ScratchFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A dry run of a release, signed with a key that is thrown away, and a second one in another folder and time zone. */
@Timeout(1800)
@InTier(Tier.FULL)
@DisabledIfSystemProperty(
        named = "hasp.test.offline",
        matches = "offline true",
        disabledReason = "without a network Maven deploys nothing, not even into a folder")
class ReleaseTest {
    private static final ScratchFolder FOLDER = ScratchFolder.create();
    private static SigningKey key;
    private static ReleaseBuild release;

    @BeforeAll
    static void build() throws Exception {
        key = SigningKey.create("throw-away");
        assertThat(SigningKey.read(key.armored()).keys().getPublicKey().getKeyID())
                .isEqualTo(key.keys().getPublicKey().getKeyID());
        release = ReleaseBuild.in(FOLDER.path().resolve("one"), "Pacific/Kiritimati", key);
    }

    @AfterAll
    static void delete() {
        FOLDER.close();
    }

    private static PortalRules rules() {
        return new PortalRules(release.staging(), key);
    }

    @Test
    void the_portal_accepts_every_artifact_that_others_depend_on_and_no_other() throws IOException {
        assertThat(rules().violations()).isEmpty();
        assertThat(rules().artifacts())
                .containsExactlyInAnyOrderElementsOf(Stream.concat(
                                LocalRepository.ARTIFACTS.stream(), Stream.of(LocalRepository.STARTER, "hasp-bom"))
                        .toList());
    }

    @Test
    void each_artifact_has_a_bill_of_materials_and_one_lists_all_artifacts() throws IOException {
        for (String artifact : rules().artifacts()) {
            assertThat(release.staging()
                            .resolve("io/hasp/%1$s/%2$s/%1$s-%2$s-cyclonedx.json"
                                    .formatted(artifact, ReleaseBuild.VERSION)))
                    .content()
                    .contains("\"bomFormat\" : \"CycloneDX\"", "pkg:maven/io.hasp/" + artifact + "@")
                    .doesNotContain("serialNumber", "\"timestamp\"");
        }
        Pattern ofOurs = Pattern.compile("\"bom-ref\" : \"pkg:maven/io.hasp/([a-z0-9-]+)@");
        assertThat(ofOurs.matcher(Files.readString(release.sbom())).results().map(match -> match.group(1)))
                .contains("hasp-parent")
                .filteredOn(artifact -> !artifact.equals("hasp-parent"))
                .containsExactlyInAnyOrderElementsOf(rules().artifacts());
    }

    @Test
    void a_second_build_in_another_folder_and_time_zone_has_the_same_bytes() throws Exception {
        ReleaseBuild again = ReleaseBuild.in(FOLDER.path().resolve("another/folder"), "America/Los_Angeles", key);
        assertThat(again.sbom()).hasSameBinaryContentAs(release.sbom());
        assertThat(differences(release.staging(), again.staging())).isEmpty();
    }

    @Test
    void one_byte_or_file_more_is_a_difference() throws IOException {
        Path one = Files.createDirectories(FOLDER.path().resolve("differs/one"));
        Path other = Files.createDirectories(FOLDER.path().resolve("differs/other"));
        for (Path folder : List.of(one, other)) {
            Files.writeString(folder.resolve("same.jar"), "same");
            Files.writeString(folder.resolve("differs.jar"), "one" + (folder == other ? " byte" : ""));
            Files.writeString(folder.resolve("signed.jar.asc"), folder.toString());
        }
        Files.writeString(other.resolve("more.jar"), "more");
        assertThat(differences(one, other)).containsExactly("differs.jar", "more.jar");
    }

    @ParameterizedTest
    @CsvSource({
        "<url>.*?</url>, '', the POM has no url",
        "(?s)<developers>.*</developers>, '', the POM has no developers/developer/name",
        "<scope>compile<, <scope>test<, the POM has the test dependency io.hasp:lock-api",
        "<dependencies>, <parent/><dependencies>, the POM has parent",
        "<version>0.0.1<, <version>0.0.1-SNAPSHOT<, the POM's version is '0.0.1-SNAPSHOT'"
    })
    void a_fault_in_a_pom_is_found(String part, String instead, String violation) throws IOException {
        finds(violation, ".pom", pom -> {
            String text = Files.readString(pom);
            Files.writeString(pom, text.replaceFirst(part, instead));
        });
    }

    @ParameterizedTest
    @CsvSource({
        ".jar.asc, no signature",
        "-javadoc.jar, -javadoc.jar: missing",
        "-sources.jar, -sources.jar: missing",
        ".pom.md5, no checksum md5"
    })
    void a_missing_file_is_found(String file, String violation) throws IOException {
        finds(violation, file, Files::delete);
    }

    @ParameterizedTest
    @ValueSource(strings = {"the signature is not of this file", "the checksum sha1 is another file's"})
    void a_damaged_file_is_found(String violation) throws IOException {
        finds(violation, ".jar", jar -> Files.write(jar, new byte[] {0}, StandardOpenOption.APPEND));
    }

    private interface Fault {
        void plant(Path file) throws IOException;
    }

    private static void finds(String violation, String file, Fault fault) throws IOException {
        try (ScratchFolder folder = ScratchFolder.create()) {
            String place = "io/hasp/lock-memory/" + ReleaseBuild.VERSION;
            Path copy = Files.createDirectories(folder.path().resolve(place));
            try (Stream<Path> files = Files.list(release.staging().resolve(place))) {
                for (Path each : files.toList()) {
                    Files.copy(each, copy.resolve(each.getFileName()));
                }
            }
            PortalRules rules = new PortalRules(folder.path(), key);
            assertThat(rules.violations()).isEmpty();
            fault.plant(copy.resolve("lock-memory-" + ReleaseBuild.VERSION + file));
            assertThat(rules.violations()).anyMatch(found -> found.contains(violation));
        }
    }

    private static Set<String> differences(Path one, Path other) throws IOException {
        Map<String, Path> first = unsigned(one);
        Map<String, Path> second = unsigned(other);
        Set<String> names = new TreeSet<>(first.keySet());
        names.addAll(second.keySet());
        Set<String> found = new TreeSet<>();
        for (String name : names) {
            if (!first.containsKey(name)
                    || !second.containsKey(name)
                    || Files.mismatch(first.get(name), second.get(name)) >= 0) {
                found.add(name);
            }
        }
        return found;
    }

    /** All but signatures, which have a time, and the repository's own files, which the portal writes itself. */
    private static Map<String, Path> unsigned(Path staging) throws IOException {
        Map<String, Path> found = new TreeMap<>();
        try (Stream<Path> files = Files.walk(staging)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String name = staging.relativize(file).toString();
                if (Stream.of(".asc", "maven-metadata").noneMatch(name::contains)) {
                    found.put(name, file);
                }
            }
        }
        return found;
    }
}
