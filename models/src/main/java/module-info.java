/** Models on ONNX Runtime, with a WordPiece tokenizer; the default model. */
@org.jspecify.annotations.NullMarked
module dev.weir.models {
  requires static transitive org.jspecify;
  requires transitive dev.weir.search;
  requires org.slf4j;
  requires tools.jackson.core;
  requires tools.jackson.databind;
  requires com.microsoft.onnxruntime;

  exports dev.weir.models;
}
