/** Vectors, roots and readers of Apache Arrow's Java library as arrays, batches and streams, and back. */
module dev.arrowdevice.arrowjava {
    requires static org.jspecify;
    requires transitive dev.arrowdevice.core;
    requires transitive kotlin.stdlib;
    requires transitive org.apache.arrow.memory.core;
    requires transitive org.apache.arrow.vector;

    exports dev.arrowdevice.arrowjava;
}
