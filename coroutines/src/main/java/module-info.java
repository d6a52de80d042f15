/** Arrow streams as coroutine flows, and flows as Arrow streams. */
module dev.arrowdevice.coroutines {
    requires static org.jspecify;
    requires transitive dev.arrowdevice.core;
    requires transitive kotlin.stdlib;
    requires transitive kotlinx.coroutines.core;

    exports dev.arrowdevice.coroutines;
}
