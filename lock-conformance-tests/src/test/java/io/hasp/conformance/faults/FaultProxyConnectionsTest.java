package io.hasp.conformance.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.servers.RespConnection;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import org.junit.jupiter.api.Test;

/** A proxy ends connections, one or all, now and in the future. */
final class FaultProxyConnectionsTest extends RedisBehindProxy {

    @Test
    void cuts_end_connections_in_their_manner() throws IOException {
        try (RespConnection client = connected()) {
            proxy.cut(ConnectionEnd.FIN);
            assertThatThrownBy(client::receive).isInstanceOf(EOFException.class);
        }
        try (RespConnection client = connected()) {
            proxy.cut(ConnectionEnd.RST);
            assertThatThrownBy(client::receive)
                    .isInstanceOf(SocketException.class)
                    .hasMessageContaining("reset");
        }
        awaitServerClients(0);
    }

    @Test
    void a_half_open_connection_is_gone_for_the_server_and_silent_for_the_client() throws IOException {
        try (RespConnection client = connected()) {
            proxy.cut(ConnectionEnd.HALF_OPEN);
            awaitServerClients(0);
            client.timeout(SHORT);
            assertThatThrownBy(() -> client.command("PING")).isInstanceOf(SocketTimeoutException.class);
        }
        try (RespConnection client = connected()) {
            proxy.cut(ConnectionEnd.HALF_OPEN);
            proxy.heal();
            assertThatThrownBy(client::receive).isInstanceOf(SocketException.class);
        }
    }

    @Test
    void one_connection_can_be_broken_alone() throws IOException {
        try (RespConnection first = connected();
                RespConnection second = connected()) {
            proxy.connections().get(0).set(Direction.REPLIES, TrafficPolicy.HOLD);
            first.send("PING");
            assertThat(second.command("PING")).isEqualTo("PONG");
            proxy.connections().get(1).cut(ConnectionEnd.FIN);
            assertThatThrownBy(second::receive).isInstanceOf(EOFException.class);
            proxy.connections().get(0).set(Direction.REPLIES, TrafficPolicy.PASS);
            assertThat(first.receive()).isEqualTo("PONG");
        }
    }

    @Test
    void a_refusing_proxy_resets_new_connections_only() throws IOException {
        try (RespConnection old = connected()) {
            proxy.refuse();
            assertThatThrownBy(() -> {
                        try (RespConnection late = connect(LONG)) {
                            late.command("PING");
                        }
                    })
                    .isInstanceOf(SocketException.class);
            assertThat(old.command("PING")).isEqualTo("PONG");
            proxy.heal();
            connected().close();
        }
    }

    @Test
    void the_end_of_a_stream_waits_behind_held_bytes() throws IOException {
        try (RespConnection client = connected()) {
            proxy.set(Direction.REPLIES, TrafficPolicy.HOLD);
            client.send("ECHO", "last words");
            client.send("QUIT");
            awaitServerClients(0);
            proxy.heal();
            assertThat(client.receive()).isEqualTo("last words");
            assertThat(client.receive()).isEqualTo("OK");
            assertThatThrownBy(client::receive).isInstanceOf(EOFException.class);
        }
    }

    @Test
    void a_server_that_does_not_run_looks_like_a_reset_and_a_later_one_is_found() throws IOException {
        redis.kill();
        try {
            assertThatThrownBy(() -> {
                        try (RespConnection client = connect(LONG)) {
                            client.command("PING");
                        }
                    })
                    .isInstanceOf(IOException.class)
                    .isNotInstanceOf(SocketTimeoutException.class);
            await().until(() -> proxy.connections().isEmpty());
        } finally {
            redis.restart();
        }
        connected().close();
    }

    @Test
    void bytes_that_vanished_are_counted_when_the_client_has_given_up_the_connection() throws IOException {
        try (RespConnection client = connected()) {
            proxy.set(Direction.REPLIES, TrafficPolicy.DROP);
            client.send("PING");
            await().until(() -> proxy.dropped(Direction.REPLIES) > 0);
        }
        await().until(() -> proxy.connections().isEmpty());
        assertThat(proxy.dropped(Direction.REPLIES)).isEqualTo("+PONG\r\n".length());
        assertThat(proxy.dropped(Direction.REQUESTS)).isZero();
    }

    @Test
    void closing_frees_the_port_and_ends_connections() throws IOException {
        RespConnection client = connected();
        int port = proxy.port();
        proxy.set(TrafficPolicy.HOLD);
        proxy.close();
        proxy.close();
        assertThatThrownBy(client::receive).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> new Socket(InetAddress.getLoopbackAddress(), port).close())
                .isInstanceOf(ConnectException.class);
        awaitServerClients(0);
    }
}
