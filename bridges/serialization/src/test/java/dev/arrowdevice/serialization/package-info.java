/** Records of Java, for the tests. */
package dev.arrowdevice.serialization;
