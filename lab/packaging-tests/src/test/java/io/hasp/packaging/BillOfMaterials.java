package io.hasp.packaging;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A bill of materials in the format CycloneDX, without what differs from build to build. */
record BillOfMaterials(Path file) {
    private static final Pattern OURS = Pattern.compile("\"bom-ref\" : \"pkg:maven/io.hasp/([a-z0-9-]+)@");

    /** Locates the bill of materials of a staged artifact. */
    static BillOfMaterials of(Path staging, String artifact, String version) {
        return new BillOfMaterials(
                staging.resolve("io/hasp/%1$s/%2$s/%1$s-%2$s-cyclonedx.json".formatted(artifact, version)));
    }

    /** One line for each violation; empty if this is the artifact's, and another build would make the same. */
    List<String> violations(String artifact) throws IOException {
        if (!Files.exists(file)) {
            return List.of(file.getFileName() + ": missing");
        }
        List<String> found = new ArrayList<>();
        String text = Files.readString(file);
        for (String wanted : List.of("\"bomFormat\" : \"CycloneDX\"", "pkg:maven/io.hasp/" + artifact + "@")) {
            if (!text.contains(wanted)) {
                found.add(file.getFileName() + ": no " + wanted);
            }
        }
        for (String unwanted : List.of("serialNumber", "\"timestamp\"")) {
            if (text.contains(unwanted)) {
                found.add(file.getFileName() + ": has " + unwanted);
            }
        }
        return found;
    }

    /** The artifacts of Hasp that it lists. */
    Set<String> ours() throws IOException {
        return OURS.matcher(Files.readString(file))
                .results()
                .map(match -> match.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
