/**
 * Arrow C++ as a foreign peer: its functions called by their mangled names, without a line of C++ of our own.
 *
 * <p>The native library inside the jar of {@code arrow-dataset} exports all of Arrow C++. What makes it callable from
 * Java is the Itanium C++ ABI, as GCC and libstdc++ follow it on Linux:
 *
 * <ul>
 *   <li>an object with a destructor is returned through a hidden pointer to memory of the caller;
 *   <li>passed by value, it is a pointer to a temporary that the caller destroys after the call;
 *   <li>{@code shared_ptr<X>} is two pointers: the object and the control block with the two counts;
 *   <li>{@code Result<X>} is a status word, zero for OK, followed by the X;
 *   <li>a {@code std::string} of this build (from before GCC 5's new layout) is one pointer to its characters, whose
 *       length lies 24 bytes before them.
 * </ul>
 */
@NullMarked
package dev.arrowdevice.peers.arrowcpp;

import org.jspecify.annotations.NullMarked;
