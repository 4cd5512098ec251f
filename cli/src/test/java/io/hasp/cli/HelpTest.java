package io.hasp.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** The help, the manual page and the completion know all commands and options. */
class HelpTest {
    private static final Map<String, CommandLine> COMMANDS = Hasp.commandLine().getSubcommands();

    @Test
    void every_command_shows_an_example_and_its_exit_codes() {
        assertThat(COMMANDS).containsOnlyKeys("locks", "watch", "break", "doctor", "run");
        assertThat(COMMANDS.keySet()).allSatisfy(name -> {
            InProcess help = InProcess.run(name, "--help");
            assertThat(help.exit()).isZero();
            assertThat(help.out()).contains("Example", "Exit code: ", "hasp " + name);
        });
        assertThat(InProcess.run().out()).contains("Example").contains(COMMANDS.keySet());
    }

    @Test
    void the_manual_page_names_every_command_and_option() throws IOException {
        String manual = Files.readString(Path.of("src/main/dist/man/hasp.1")).replace("\\-", "-");
        COMMANDS.forEach((name, command) -> {
            assertThat(manual).contains("hasp " + name);
            for (OptionSpec option : command.getCommandSpec().options()) {
                assertThat(manual).as(name + " " + option.longestName()).contains(option.names());
            }
        });
    }

    @Test
    void the_completion_is_a_script_with_every_command() {
        String script = AutoComplete.bash("hasp", Hasp.commandLine());
        assertThat(COMMANDS.keySet()).allSatisfy(name -> assertThat(script).contains("_picocli_hasp_" + name));
        // The name that the script for zsh registers.
        assertThat(script).contains("_complete_hasp");
    }
}
