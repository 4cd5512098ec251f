package io.hasp.evaluation.measure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class DiskWritesTest {

    @Test
    @EnabledOnOs(OS.LINUX)
    void a_process_has_written_some_bytes() {
        assertThat(DiskWrites.bytes(ProcessHandle.current().pid())).isNotNegative();
    }

    @Test
    void a_process_that_is_unknown_has_no_figure() {
        assertThat(DiskWrites.bytes(Long.MAX_VALUE)).isNaN();
    }
}
