/**
 * The contract of a lock backend: four requests, acquire, renew, release and, if one flight serves both, transfer.
 *
 * <p>Everything else (waiting, local queueing, renewal schedules, deadlines, loss detection, templates) is written once in the engine above
 * this package. The package imports nothing of {@code io.hasp}.
 */
@NullMarked
package io.hasp.spi;

import org.jspecify.annotations.NullMarked;
