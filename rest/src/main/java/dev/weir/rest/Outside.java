package dev.weir.rest;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks the few places that ask the machine. They may use {@code com.sun.management}, which the
 * module {@code jdk.management} exports and documents.
 */
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.METHOD)
@interface Outside {}
