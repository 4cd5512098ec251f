package io.hasp.examples.payout;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.servers.PostgresServer;
import io.hasp.examples.Printed;
import org.junit.jupiter.api.Test;

/** The transaction of a holder that stood still for longer than its lease is not committed. */
class PayoutTest {

    @Test
    void an_invoice_is_paid_once() throws Exception {
        try (PostgresServer postgres = PostgresServer.start();
                Printed printed = Printed.fromNow()) {
            Payout.main(new String[] {
                "jdbc:postgresql://127.0.0.1:" + postgres.port() + "/postgres?user=postgres&password=postgres"
            });
            assertThat(printed.text())
                    .containsPattern(
                            "the second instance has paid\\R+the first instance was too late: the lease of lock 'invoices/42'")
                    .contains("payments: 1");
        }
    }
}
