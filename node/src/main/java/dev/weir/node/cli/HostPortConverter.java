package dev.weir.node.cli;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads an address option. */
public final class HostPortConverter implements ITypeConverter<HostPort> {
  @Override
  public HostPort convert(String value) {
    try {
      return HostPort.parse(value);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(String.valueOf(e.getMessage()));
    }
  }
}
