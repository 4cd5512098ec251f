package io.hasp.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.hasp.spi.BackendFailure;
import io.hasp.spi.Grant;
import io.hasp.spi.Inspector;
import io.hasp.spi.Renewal;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.apache.zookeeper.server.auth.DigestAuthenticationProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An operator with permissions of their own. */
class InspectorPermissionsTest {
    private static final String LOCK = "permissions";

    @RegisterExtension
    static final OneServer SERVER = new OneServer();

    private static Probe connect(String user, List<ACL> acl) {
        ZooKeeperConfig config = ZooKeeperConfig.of(
                URI.create("zookeeper://" + user + ":secret@" + SERVER.server().connectString()));
        return Probe.over(ZooKeeperBackend.by(new ZooKeeperConfig(
                config.servers(),
                new ZooKeeperLocks(config.locks().root(), acl, config.locks().commandTimeout()),
                config.sessionTimeout(),
                config.connectionTimeout(),
                config.digest(),
                Optional.empty(),
                Optional.empty())));
    }

    private static ACL allow(int permissions, String user) throws Exception {
        return new ACL(permissions, new Id("digest", DigestAuthenticationProvider.generateDigest(user + ":secret")));
    }

    @Test
    void an_operator_that_may_only_read_sees_everything_and_ends_nothing_and_one_that_may_delete_ends_a_grant()
            throws Exception {
        List<ACL> acl = List.of(
                allow(Perms.ALL, "app"), allow(Perms.READ, "reader"), allow(Perms.READ | Perms.DELETE, "breaker"));
        try (Probe app = connect("app", acl);
                Probe reader = connect("reader", acl);
                Probe breaker = connect("breaker", acl)) {
            Grant grant = app.holder(LOCK).granted();

            Inspector.Content content = reader.find(LOCK);
            assertThat(content.holders())
                    .singleElement()
                    .satisfies(holder -> assertThat(holder.token()).isEqualTo(grant.token()));
            assertThat(reader.list("", "").locks())
                    .map(Inspector.Content::holders)
                    .containsExactly(content.holders());
            assertThatExceptionOfType(BackendFailure.class)
                    .isThrownBy(() -> reader.remove(LOCK, content.holders().get(0)))
                    .satisfies(failure -> assertThat(failure.kind()).isEqualTo(BackendFailure.Kind.DENIED));
            assertThat(app.renew(List.of(grant)).get(0)).isInstanceOf(Renewal.Renewed.class);

            assertThat(breaker.remove(LOCK, content.holders().get(0))).isTrue();
            await().until(() -> app.renew(List.of(grant)).get(0) instanceof Renewal.Lost);
        }
    }
}
