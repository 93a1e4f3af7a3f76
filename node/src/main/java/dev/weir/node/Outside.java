package dev.weir.node;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks the few places that may read the clock of the machine, draw random numbers or write to
 * standard output, or ask the JVM of the machine by {@code com.sun.management}, which the module
 * {@code jdk.management} exports and documents. Everything else is handed what it needs, so that it
 * can be tested and simulated.
 */
@Retention(RetentionPolicy.CLASS)
@Target({ElementType.TYPE, ElementType.METHOD})
@interface Outside {}
