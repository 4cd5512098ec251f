package io.hasp.cli;

import picocli.CommandLine.Option;

/** The option that selects tables or JSON. */
final class Format {
    private enum Kind {
        table,
        json
    }

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            defaultValue = "table",
            description = "${COMPLETION-CANDIDATES}; ${DEFAULT-VALUE} unless given. JSON is one object a line.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private Kind kind;

    boolean isJson() {
        return kind == Kind.json;
    }
}
