/**
 * Operations on documents: index, create, update, delete, get and bulk, with their results. Finds
 * or makes the index, reads documents before they are appended, and waits for commits and refreshes
 * as the caller wishes.
 */
package dev.weir.search.document;
