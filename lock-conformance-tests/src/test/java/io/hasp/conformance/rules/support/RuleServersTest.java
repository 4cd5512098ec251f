package io.hasp.conformance.rules.support;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.servers.RedisServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** A rule that disturbs its server disturbs no other rule. The tests are such rules themselves. */
final class RuleServersTest {

    @Test
    @DisturbsServer
    void rule_that_disturbs_has_a_server_of_its_own_which_is_used_again(TestInfo rule) throws Exception {
        try (RuleServers<RedisServer> servers = new RuleServers<>(2, RedisServer::start)) {
            RedisServer spare = servers.lend(rule);
            RedisServer another = servers.lend(rule);
            assertThat(spare).isNotSameAs(servers.shared());
            assertThat(another).isNotSameAs(spare).isNotSameAs(servers.shared());
            spare.kill();
            assertThat(servers.shared().running() && another.running())
                    .as("whether the servers of other rules run")
                    .isTrue();
            spare.restart();
            servers.giveBack(spare);
            assertThat(servers.lend(rule)).isSameAs(spare);
        }
    }

    @Test
    void rule_that_disturbs_none_shares_one(TestInfo rule) throws Exception {
        try (RuleServers<RedisServer> servers = new RuleServers<>(1, RedisServer::start)) {
            assertThat(servers.lend(rule)).isSameAs(servers.lend(rule)).isSameAs(servers.shared());
        }
    }

    @Test
    @DisturbsServer
    void close_ends_lent_servers_too(TestInfo rule) throws Exception {
        RuleServers<RedisServer> servers = new RuleServers<>(1, RedisServer::start);
        RedisServer spare = servers.lend(rule);
        servers.close();
        assertThat(spare.running() || servers.shared().running())
                .as("whether a server runs")
                .isFalse();
    }
}
