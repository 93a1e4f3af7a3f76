package dev.weir.search.ingest;

import dev.weir.search.error.SearchException;
import org.jspecify.annotations.Nullable;

/** What one step of a pipeline does. Immutable and pure; the run carries it out. */
sealed interface Processor {

  /** Its name in a definition. */
  String type();

  /** Looks at one document alone, and changes nothing but that. */
  sealed interface Change extends Processor
      permits SetValue,
          RemoveFields,
          RenameField,
          CopyField,
          AppendValues,
          ConvertValue,
          ReadDate,
          ReadJson,
          TextChange,
          SplitText,
          JoinTexts,
          ExpandDots,
          ChunkText {

    /**
     * Changes the document.
     *
     * @throws SearchException with 400 if the document does not allow it
     */
    void apply(IngestDocument document);
  }

  /** Leaves the document out: it is not written. */
  record Drop() implements Processor {
    @Override
    public String type() {
      return "drop";
    }
  }

  /** Fails with a message of the pipeline's own. */
  record Fail(Template message) implements Processor {
    @Override
    public String type() {
      return "fail";
    }
  }

  /**
   * Does one step for each element of an array, or each member of an object, which the step sees as
   * {@code _ingest._value}.
   */
  record ForEach(DocumentPath field, Step step, Missing missing) implements Processor {
    @Override
    public String type() {
      return "foreach";
    }
  }

  /** Goes through another pipeline. */
  record Call(Template name, Missing missing) implements Processor {
    @Override
    public String type() {
      return "pipeline";
    }
  }

  /** Turns texts into vectors. */
  record Embed(TextEmbedding embedding) implements Processor {
    @Override
    public String type() {
      return TextEmbedding.TYPE;
    }
  }

  /** What it is to a processor that something is not there. */
  enum Missing {
    /** A failure. */
    FAILS,
    /** A reason to do nothing. */
    IS_IGNORED
  }

  /** What a processor does where its target is taken. */
  enum Taken {
    /** Puts the new value in its place. */
    REPLACE,
    /** Leaves or refuses, as the processor says. */
    KEEP
  }

  /**
   * A step of a pipeline.
   *
   * @param tag the user's name for it, for messages
   */
  record Step(
      Processor processor,
      @Nullable String tag,
      @Nullable String description,
      OnFailure onFailure) {}
}
