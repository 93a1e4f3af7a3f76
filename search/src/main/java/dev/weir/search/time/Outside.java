package dev.weir.search.time;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Marks the place where time comes in from outside; the build forbids it elsewhere. */
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.TYPE)
@interface Outside {}
