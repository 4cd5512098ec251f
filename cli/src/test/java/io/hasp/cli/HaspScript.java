package io.hasp.cli;

import io.hasp.conformance.processes.JavaProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A program {@code hasp} in a folder, on the class path of these tests. */
final class HaspScript {
    private HaspScript() {}

    static Path in(Path folder) throws IOException {
        Path hasp = folder.resolve("hasp");
        StringBuilder line = new StringBuilder("#!/bin/sh\nexec");
        JavaProgram.command(List.of("-XX:TieredStopAtLevel=1"), Hasp.class)
                .forEach(word -> line.append(" '").append(word).append("'"));
        return executable(hasp, line.append(" \"$@\"\n").toString());
    }

    static Path executable(Path file, String text) throws IOException {
        Files.writeString(file, text);
        if (!file.toFile().setExecutable(true)) {
            throw new IOException(file + " can't be made executable");
        }
        return file;
    }
}
