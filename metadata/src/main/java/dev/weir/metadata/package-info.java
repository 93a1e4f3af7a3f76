/** The cluster metadata as one immutable value. */
package dev.weir.metadata;
