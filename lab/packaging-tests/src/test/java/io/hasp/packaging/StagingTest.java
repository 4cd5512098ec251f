package io.hasp.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** The folder of a release before it is uploaded, with the key that signed it in the environment: docs/internals/releasing.md. */
@EnabledIfSystemProperty(named = "hasp.staging", matches = ".+", disabledReason = "asked before an upload")
class StagingTest {
    @Test
    void the_portal_accepts_the_folder() throws Exception {
        SigningKey key = SigningKey.read(System.getenv("MAVEN_GPG_KEY"));
        PortalRules rules = new PortalRules(Path.of(System.getProperty("hasp.staging")), key);
        assertThat(rules.artifacts()).contains("lock-api", "hasp-bom");
        assertThat(rules.violations()).isEmpty();
        assertThat(new ForgeRules(rules.staging(), PortalRules.version(rules.staging()), key).violations())
                .isEmpty();
    }
}
