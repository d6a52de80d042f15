/**
 * Tools for tests of code that exchanges Arrow arrays: simulated devices, the contract of a device runtime, a balance
 * of releases, the C compiler.
 */
module dev.arrowdevice.testkit {
    requires static transitive org.jspecify;
    requires transitive dev.arrowdevice.core;

    exports dev.arrowdevice.testkit;
    exports dev.arrowdevice.testkit.contract;
    exports dev.arrowdevice.testkit.device;
}
