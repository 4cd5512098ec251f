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
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Faults planted in copies of a staged release: each check of {@link ReleaseTest} finds those that it is there for. */
@Timeout(1800)
@InTier(Tier.FULL)
@DisabledIfSystemProperty(
        named = "hasp.test.offline",
        matches = "offline true",
        disabledReason = "without a network Maven deploys nothing, not even into a folder")
class ReleaseFaultsTest {
    private static SigningKey key;
    private static ReleaseBuild release;

    @BeforeAll
    static void build() throws Exception {
        release = ReleaseBuild.shared();
        key = ReleaseBuild.sharedKey();
    }

    private static ForgeRules forgeRules(Path staging) {
        return new ForgeRules(staging, ReleaseBuild.VERSION, key);
    }

    @Test
    void one_byte_or_file_more_is_a_difference() throws IOException {
        try (ScratchFolder differs = ScratchFolder.create()) {
            Path one = Files.createDirectories(differs.path().resolve("one"));
            Path other = Files.createDirectories(differs.path().resolve("other"));
            for (Path folder : List.of(one, other)) {
                Files.writeString(folder.resolve("same.jar"), "same");
                Files.writeString(folder.resolve("differs.jar"), "one" + (folder == other ? " byte" : ""));
                Files.writeString(folder.resolve("signed.jar.asc"), folder.toString());
            }
            Files.writeString(other.resolve("more.jar"), "more");
            assertThat(ReleaseTest.differences(one, other)).containsExactly("differs.jar", "more.jar");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "<url>.*?</url>, '', the POM has no url",
        "(?s)<developers>.*</developers>, '', the POM has no developers/developer/name",
        "<scope>compile<, <scope>test<, the POM has the test dependency io.hasp:lock-api",
        "<dependencies>, <parent/><dependencies>, the POM has parent",
        "<name>.*?</name>, '', the POM has no name",
        "<description>.*?</description>, '', the POM has no description",
        "(?s)<licenses>.*</licenses>, '', the POM has no licenses/license/name",
        "(?s)<scm .*</scm>, '', the POM has no scm/connection",
        "<artifactId>lock-memory<, <artifactId>lock-memories<, the POM's artifactId is 'lock-memories'",
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

    @Test
    void another_name_of_a_file_and_a_snapshot_are_found() throws IOException {
        finds(
                "its name does not begin with lock-memory-0.0.1",
                ".jar",
                jar -> Files.move(jar, jar.resolveSibling("a.jar")));
        finds("no POM of this name", ".pom", pom -> Files.move(pom, pom.resolveSibling("a.pom")));
        finds("a SNAPSHOT is no release", ".pom", pom -> {
            Path snapshot = Files.createDirectory(
                    pom.resolveSibling("../0.0.2-SNAPSHOT").normalize());
            Files.move(pom, snapshot.resolve("lock-memory-0.0.2-SNAPSHOT.pom"));
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"the signature is not of this file", "the checksum sha1 is another file's"})
    void a_damaged_file_is_found(String violation) throws IOException {
        finds(violation, ".jar", jar -> Files.write(jar, new byte[] {0}, StandardOpenOption.APPEND));
    }

    @ParameterizedTest
    @CsvSource({
        "hasp-0.0.1.tar.gz, hasp-0.0.1.tar.gz: missing",
        "hasp-0.0.1.zip.asc, hasp-0.0.1.zip.asc: missing",
        "hasp-0.0.1.tar.gz.sha256, hasp-0.0.1.tar.gz.sha256: missing"
    })
    void a_missing_file_of_the_forge_is_found(String file, String violation) throws Exception {
        findsOnForge(violation, file, Files::delete);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "hasp-0.0.1.zip: the signature is not of this file",
                "hasp-0.0.1.zip.sha256: the checksum is another file's",
                "hasp-0.0.1.zip: has no bin/hasp",
                "hasp-0.0.1.zip: has the snapshot hasp-0.0.1/lib/lock-api-0.0.1-SNAPSHOT.jar",
                "the archives have different files"
            })
    void another_archive_of_the_forge_is_found(String violation) throws Exception {
        findsOnForge(violation, "hasp-0.0.1.zip", zip -> {
            try (ZipOutputStream other = new ZipOutputStream(Files.newOutputStream(zip))) {
                other.putNextEntry(new ZipEntry("hasp-0.0.1/lib/lock-api-0.0.1-SNAPSHOT.jar"));
            }
        });
    }

    @Test
    void a_checksum_that_sha256sum_can_not_read_and_a_file_too_many_are_found() throws Exception {
        findsOnForge("sha256sum -c can't read it", "hasp-0.0.1.zip.sha256", file -> Files.writeString(file, "0"));
        findsOnForge("notes: not expected", "notes", Files::createFile);
    }

    private static void findsOnForge(String violation, String file, Fault fault) throws Exception {
        try (ScratchFolder folder = ScratchFolder.create()) {
            ForgeRules rules = forgeRules(folder.path());
            copyAll(forgeRules(release.staging()).folder(), Files.createDirectories(rules.folder()));
            assertThat(rules.violations()).isEmpty();
            fault.plant(rules.folder().resolve(file));
            assertThat(rules.violations()).anyMatch(found -> found.contains(violation));
        }
    }

    private static void copyAll(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.list(from)) {
            for (Path each : files.toList()) {
                Files.copy(each, to.resolve(each.getFileName()));
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "has serialNumber, version, serialNumber",
        "has \"timestamp\", version, timestamp",
        "no \"bomFormat\" : \"CycloneDX\", CycloneDX, other",
        "no pkg:maven/io.hasp/lock-memory@, lock-memory, another"
    })
    void a_fault_in_a_bill_of_materials_is_found(String violation, String part, String instead) throws IOException {
        try (ScratchFolder folder = ScratchFolder.create()) {
            BillOfMaterials published = BillOfMaterials.of(release.staging(), "lock-memory", ReleaseBuild.VERSION);
            Path copy = Files.copy(published.file(), folder.path().resolve("sbom.json"));
            BillOfMaterials faulty = new BillOfMaterials(copy);
            assertThat(faulty.violations("lock-memory")).isEmpty();
            Files.writeString(copy, Files.readString(copy).replace(part, instead));
            assertThat(faulty.violations("lock-memory")).anyMatch(found -> found.contains(violation));
            Files.delete(copy);
            assertThat(faulty.violations("lock-memory")).containsExactly("sbom.json: missing");
        }
    }

    @Test
    void a_file_without_its_signature_has_a_row_of_its_own_in_the_list_of_files() throws IOException {
        try (ScratchFolder folder = ScratchFolder.create()) {
            Path version = Files.createDirectories(folder.path().resolve("a/1"));
            for (String file : List.of("a-1.jar", "a-1.jar.asc", "a-1.pom")) {
                Files.createFile(version.resolve(file));
            }
            assertThat(new StagedFiles(folder.path(), "1").table())
                    .endsWith("|\n| `a/VERSION` | `….jar` | `.asc` |\n| `a/VERSION` | `….pom` |  |\n");
        }
    }

    private interface Fault {
        void plant(Path file) throws IOException;
    }

    private static void finds(String violation, String file, Fault fault) throws IOException {
        try (ScratchFolder folder = ScratchFolder.create()) {
            String place = "io/hasp/lock-memory/" + ReleaseBuild.VERSION;
            Path copy = Files.createDirectories(folder.path().resolve(place));
            copyAll(release.staging().resolve(place), copy);
            PortalRules rules = new PortalRules(folder.path(), key);
            assertThat(rules.violations()).isEmpty();
            fault.plant(copy.resolve("lock-memory-" + ReleaseBuild.VERSION + file));
            assertThat(rules.violations()).anyMatch(found -> found.contains(violation));
        }
    }
}
