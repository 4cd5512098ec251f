package io.hasp.cli;

import io.hasp.LockClient;
import io.hasp.spi.Finding;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code hasp doctor}: checks a lock service. */
@Command(
        name = "doctor",
        description =
                "Checks a lock service with the permissions of a client: each line is OK, WARN, FAIL, or UNKNOWN if"
                        + " a permission or an answer is missing. The last line says what to do first.",
        footerHeading = "%n",
        footer = {"Exit code: 0 without a FAIL, else 1; 64 wrong usage.", "Example: hasp doctor redis://127.0.0.1:6379"
        },
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class DoctorCommand implements Callable<Integer> {
    @Parameters(
            arity = "0..1",
            paramLabel = "URI",
            description = "The lock service. Without it: the environment variable HASP_URI.")
    private @Nullable String uri;

    @Mixin
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private Format format;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public Integer call() {
        String service = uri == null ? System.getenv(Service.VARIABLE) : uri;
        if (service == null || service.isBlank()) {
            throw new ParameterException(
                    spec.commandLine(), "no URI is given, and " + Service.VARIABLE + " is not set");
        }
        List<Finding> findings = LockClient.diagnose(service.strip());
        PrintWriter out = spec.commandLine().getOut();
        int width = findings.stream()
                .mapToInt(finding -> finding.check().length())
                .max()
                .orElse(0);
        findings.forEach(finding -> out.println(format.isJson() ? json(finding) : line(finding, width)));
        if (!format.isJson()) {
            out.println(first(findings));
        }
        return findings.stream().anyMatch(each -> each.level() == Finding.Level.FAIL) ? Exit.NO : Exit.OK;
    }

    private static String line(Finding finding, int width) {
        return Ansi.AUTO.string(level(finding.level())) + " " + padded(finding.check(), width) + "  "
                + Printable.text(finding.text()) + page(finding);
    }

    private static String level(Finding.Level level) {
        String padded = padded(level.name(), "UNKNOWN".length());
        return switch (level) {
            case OK -> "@|green " + padded + "|@";
            case WARN, UNKNOWN -> "@|yellow " + padded + "|@";
            case FAIL -> "@|bold,red " + padded + "|@";
        };
    }

    private static String padded(String text, int width) {
        return text + " ".repeat(Math.max(0, width - text.length()));
    }

    private static String page(Finding finding) {
        return finding.page().isEmpty() || finding.level() == Finding.Level.OK ? "" : " (docs/" + finding.page() + ")";
    }

    private static String first(List<Finding> findings) {
        return Stream.of(Finding.Level.FAIL, Finding.Level.WARN, Finding.Level.UNKNOWN)
                .flatMap(level -> findings.stream().filter(finding -> finding.level() == level))
                .findFirst()
                .map(finding -> "First: " + finding.check() + ". " + Printable.text(finding.text()) + page(finding))
                .orElse("Nothing to do.");
    }

    private static String json(Finding finding) {
        return LockJson.line(json -> {
            json.name("level").value(finding.level().name());
            json.name("check").value(finding.check());
            json.name("text").value(finding.text());
            json.name("page").value(finding.page().isEmpty() ? null : finding.page());
        });
    }
}
