/** Group coordinators, each a machine over an internal topic. */
package dev.weir.coordinator;
