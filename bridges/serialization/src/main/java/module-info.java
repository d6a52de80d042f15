/** Classes as rows of record batches: a format of kotlinx.serialization, and Java records. */
module dev.arrowdevice.serialization {
    requires static org.jspecify;
    requires transitive dev.arrowdevice.core;
    requires transitive dev.arrowdevice.coroutines;
    requires transitive kotlin.stdlib;
    requires transitive kotlinx.coroutines.core;
    requires transitive kotlinx.serialization.core;

    exports dev.arrowdevice.serialization;
}
