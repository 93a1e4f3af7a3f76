/** The HTTP face of the search engine. */
package dev.weir.rest;
