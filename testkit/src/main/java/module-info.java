/** What tests of code that exchanges Arrow arrays need: simulated devices, the contract of a runtime, a balance of what was
 * released, the C compiler. */
module dev.arrowdevice.testkit {
    requires static transitive org.jspecify;
    requires transitive dev.arrowdevice.core;

    exports dev.arrowdevice.testkit;
    exports dev.arrowdevice.testkit.contract;
    exports dev.arrowdevice.testkit.device;
}
