package io.hasp.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UriAuthorityTest {
    @Test
    void credentials_are_decoded_and_a_plus_is_a_plus() {
        UriAuthority authority = UriAuthority.of(URI.create("any://us%2Fer:p+%40s:w@a,b:2/path"));

        assertThat(authority.user()).contains("us/er");
        assertThat(authority.password()).contains("p+@s:w");
        assertThat(authority.hosts()).containsExactly("a", "b:2");
        assertThat(authority).hasToString("a,b:2");
    }

    @Test
    void brackets_of_several_addresses_are_restored() {
        assertThat(UriAuthority.of(URI.create("any://%5B::1%5D:1,name:2,%5Bfe80::1%5D"))
                        .hosts())
                .containsExactly("[::1]:1", "name:2", "[fe80::1]");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "any://:S3?CR3T@h",
                "any://:S3/CR3T@h",
                "any://:S3%23#CR3T@h",
                "any:u:S3CR3T@h",
                "any://u:a@b/c@h"
            })
    void an_at_behind_the_hosts_is_refused_without_a_word_of_it(String uri) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> UriAuthority.of(URI.create(uri)))
                .withMessageContaining("%40")
                .withMessageNotContainingAny("S3", "CR3T");
    }

    @Test
    void a_password_among_the_parameters_may_have_an_at() {
        assertThat(UriAuthority.of(URI.create("any://h?sentinelPassword=a@b")).password())
                .isEmpty();
    }
}
