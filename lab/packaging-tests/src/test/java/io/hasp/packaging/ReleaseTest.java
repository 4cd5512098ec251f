package io.hasp.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.processes.ScratchFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;

/** A dry run of a release, signed with a key that is thrown away, and a second one in another folder and time zone. */
@Timeout(1800)
@InTier(Tier.FULL)
@DisabledIfSystemProperty(
        named = "hasp.test.offline",
        matches = "offline true",
        disabledReason = "without a network Maven deploys nothing, not even into a folder")
class ReleaseTest {
    private static final Path PAGE = Path.of("..", "..", "docs/internals/releasing.md");
    private static final Pattern LIST = Pattern.compile("(?s)(?<=<!-- made by ReleaseTest -->\n).*?(?=<!-- end -->)");
    private static final ScratchFolder FOLDER = ScratchFolder.create();
    private static SigningKey key;
    private static ReleaseBuild release;

    @BeforeAll
    static void build() throws Exception {
        release = ReleaseBuild.shared();
        key = ReleaseBuild.sharedKey();
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
    void the_archives_of_the_command_are_staged_for_the_forge() throws Exception {
        assertThat(new ForgeRules(release.staging(), ReleaseBuild.VERSION, key).violations())
                .isEmpty();
    }

    @Test
    void the_list_of_files_is_on_the_page() throws IOException {
        String table = new StagedFiles(release.staging(), ReleaseBuild.VERSION).table();
        String page = Files.readString(PAGE);
        if ("write".equals(System.getProperty("hasp.figures"))) {
            Files.writeString(PAGE, LIST.matcher(page).replaceFirst(Matcher.quoteReplacement(table)));
        } else {
            assertThat(LIST.matcher(page).results().map(MatchResult::group))
                    .as("the list of docs/internals/releasing.md; -Dhasp.figures=write writes it")
                    .containsExactly(table);
        }
    }

    @Test
    void each_artifact_has_a_bill_of_materials_and_one_lists_all_artifacts() throws IOException {
        for (String artifact : rules().artifacts()) {
            assertThat(BillOfMaterials.of(release.staging(), artifact, ReleaseBuild.VERSION)
                            .violations(artifact))
                    .isEmpty();
        }
        BillOfMaterials ofAll = new BillOfMaterials(release.sbom());
        assertThat(ofAll.violations("hasp-parent")).isEmpty();
        assertThat(ofAll.ours())
                .containsExactlyInAnyOrderElementsOf(
                        Stream.concat(rules().artifacts().stream(), Stream.of("lock-cli", "hasp-parent"))
                                .toList());
    }

    @Test
    void a_second_build_in_another_folder_and_time_zone_has_the_same_bytes() throws Exception {
        SigningKey another = SigningKey.create("thrown away, too");
        ReleaseBuild again = ReleaseBuild.in(FOLDER.path().resolve("another/folder"), "America/Los_Angeles", another);
        assertThat(again.sbom()).hasSameBinaryContentAs(release.sbom());
        assertThat(differences(release.staging(), again.staging())).isEmpty();
    }

    static Set<String> differences(Path one, Path other) throws IOException {
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
