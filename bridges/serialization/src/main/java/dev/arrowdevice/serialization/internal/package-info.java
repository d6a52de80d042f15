/** Plans, and the encoders and decoders of a record batch. */
@NullMarked
package dev.arrowdevice.serialization.internal;

import org.jspecify.annotations.NullMarked;
