/** Arrow arrays between the JVM and the CPython in the same process. */
module dev.arrowdevice.python {
    requires static transitive org.jspecify;
    requires transitive dev.arrowdevice.core;

    exports dev.arrowdevice.python;
}
