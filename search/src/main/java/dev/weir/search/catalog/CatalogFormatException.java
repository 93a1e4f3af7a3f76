package dev.weir.search.catalog;

/** A record of the catalog is damaged, or newer than this version. */
public final class CatalogFormatException extends RuntimeException {

  CatalogFormatException(String message) {
    super(message);
  }
}
