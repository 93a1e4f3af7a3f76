package dev.weir.search.ingest;

import dev.weir.search.chunk.Chunking;
import dev.weir.search.error.ErrorCause;
import dev.weir.search.error.ErrorType;
import dev.weir.search.error.SearchException;
import dev.weir.search.ingest.Processor.Missing;
import dev.weir.search.ingest.Processor.Step;
import dev.weir.search.ingest.Processor.Taken;
import dev.weir.search.ingest.TextChange.Kind;
import dev.weir.search.json.ExactJson;
import dev.weir.search.json.KnownNames;
import dev.weir.search.json.StrictJson;
import dev.weir.search.mapping.ExactTree;
import dev.weir.search.model.ModelDefinition;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Reads definitions of pipelines. Used once, by one thread. */
final class PipelineReader {

  /** Processors of a pipeline, those within others counted. */
  private static final int PROCESSORS_MAX = 1000;

  /** Processors within processors: each takes frames, and those of inner pipelines come on top. */
  private static final int NESTING_MAX = 20;

  /** Longest definition: it is kept in memory by every node. */
  private static final int DEFINITION_CHARS_MAX = 1 << 20;

  /** Texts that a model is given in one call, as far as we are told. */
  private static final int BATCH_MAX = 10_000;

  private static final String DATE_OUTPUT = "yyyy-MM-dd'T'HH:mm:ss.SSSXXX";

  static final List<String> TYPES =
      List.of(
          "append",
          "convert",
          "copy",
          "date",
          "dot_expander",
          "drop",
          "fail",
          "foreach",
          "gsub",
          "join",
          "json",
          "lowercase",
          "pipeline",
          "remove",
          "rename",
          "set",
          "split",
          "text_chunking",
          "text_embedding",
          "trim",
          "uppercase");

  private static final KnownNames KNOWN_TYPES =
      KnownNames.of(TYPES)
          .instead("script", "there is no script language; use [set], [copy] or [convert]")
          .instead("grok", "use [split] or [gsub]")
          .instead("dissect", "use [split] or [gsub]")
          .instead("csv", "use [split]")
          .instead("inference", "use [text_embedding]");

  private int processors;
  private int nesting; // processors around the one that is read

  private PipelineReader() {}

  /**
   * Reads a definition.
   *
   * @throws SearchException with 400
   */
  static IngestPipeline read(String id, String json) {
    return read(id, tree(json));
  }

  /** Reads a definition whose numbers are as they were written, see {@link ExactTree}. */
  static IngestPipeline read(String id, ObjectNode json) {
    return new PipelineReader().pipeline(id, json);
  }

  /** A definition as a tree. */
  static ObjectNode tree(String json) {
    if (json.length() > DEFINITION_CHARS_MAX) {
      throw SearchException.illegalArgument(
          "the request has more than " + DEFINITION_CHARS_MAX + " characters");
    }
    try (JsonParser in = StrictJson.parser(json)) {
      if (in.nextToken() == JsonToken.START_OBJECT
          && ExactTree.of(in) instanceof ObjectNode object
          && in.nextToken() == null) {
        return object;
      }
      throw new SearchException(ErrorType.PARSE, "the request body must be one JSON object");
    } catch (JacksonException e) {
      throw new SearchException(ExactJson.malformed(e));
    }
  }

  private IngestPipeline pipeline(String id, ObjectNode json) {
    ProcessorConfig config = ProcessorConfig.ofPipeline(id, json);
    config.textOrNull("description");
    config.textOrNull("version");
    config.take("_meta");
    JsonNode list = config.take("processors");
    if (list == null) {
      throw config.refused("processors", "required property is missing");
    }
    List<Step> steps = steps("processors", list);
    JsonNode handlers = config.take("on_failure");
    List<Step> onFailure = handlers == null ? List.of() : steps("on_failure", handlers);
    if (handlers != null && onFailure.isEmpty()) {
      throw new SearchException(
          ErrorType.PARSE, "pipeline [" + id + "] cannot have an empty on_failure option defined");
    }
    config.requireEmpty();
    return new IngestPipeline(id, steps, onFailure);
  }

  private List<Step> steps(String key, JsonNode list) {
    if (!(list instanceof ArrayNode array)) {
      throw new SearchException(
          ErrorCause.of(
                  ErrorType.PARSE,
                  "["
                      + key
                      + "] property isn't a list, but of type ["
                      + Values.typeName(list)
                      + "]")
              .with("property_name", key));
    }
    List<Step> steps = new ArrayList<>();
    for (JsonNode element : array) {
      if (!(element instanceof ObjectNode object)) {
        throw new SearchException(
            ErrorType.PARSE,
            "[" + key + "] must hold objects, got [" + Values.shown(element) + "]");
      }
      // One object may name several processors, in order.
      object.properties().forEach(each -> steps.add(step(each.getKey(), each.getValue())));
    }
    return steps;
  }

  private Step step(String type, JsonNode json) {
    if (!TYPES.contains(type)) {
      throw new SearchException(
          ErrorCause.of(
                  ErrorType.PARSE,
                  "No processor type exists with name [" + type + "]" + KNOWN_TYPES.hint(type))
              .with("processor_type", type));
    }
    if (!(json instanceof ObjectNode values)) {
      throw new SearchException(
          ErrorCause.of(
                  ErrorType.PARSE,
                  "processor [" + type + "] must be an object, got [" + Values.shown(json) + "]")
              .with("processor_type", type));
    }
    if (++processors > PROCESSORS_MAX) {
      throw SearchException.illegalArgument(
          "a pipeline may have " + PROCESSORS_MAX + " processors, counting those within others");
    }
    if (nesting >= NESTING_MAX) {
      throw SearchException.illegalArgument(
          "processors are more than "
              + NESTING_MAX
              + " deep within each other; put inner ones into a pipeline of their own");
    }
    nesting++;
    ProcessorConfig config = ProcessorConfig.ofProcessor(type, values);
    String tag = config.textOrNull("tag");
    String description = config.textOrNull("description");
    OnFailure onFailure = onFailure(config);
    Processor processor = processor(type, config);
    config.requireEmpty();
    nesting--;
    return new Step(processor, tag, description, onFailure);
  }

  private OnFailure onFailure(ProcessorConfig config) {
    boolean isIgnored = config.flag("ignore_failure");
    JsonNode handlers = config.take("on_failure");
    if (handlers == null) {
      return isIgnored ? new OnFailure.Ignored() : new OnFailure.Fails();
    }
    List<Step> steps = steps("on_failure", handlers);
    if (steps.isEmpty()) {
      throw config.refused("on_failure", "processors list cannot be empty");
    }
    return isIgnored ? new OnFailure.Ignored() : new OnFailure.Handled(steps);
  }

  private Processor processor(String type, ProcessorConfig config) {
    return switch (type) {
      case "append" -> append(config);
      case "convert" -> new ConvertValue(target(config), convertType(config));
      case "copy" -> copy(config);
      case "date" -> date(config);
      case "dot_expander" -> dotExpander(config);
      case "drop" -> new Processor.Drop();
      case "fail" ->
          new Processor.Fail(config.reading("message", () -> Template.of(config.text("message"))));
      case "foreach" -> forEach(config);
      case "gsub" -> gsub(config);
      case "join" -> new JoinTexts(required(config), config.text("separator"));
      case "json" -> json(config);
      case "lowercase" -> new TextChange(new Kind.Lowercase(), target(config));
      case "pipeline" -> call(config);
      case "remove" -> remove(config);
      case "rename" -> rename(config);
      case "set" -> set(config);
      case "split" -> split(config);
      case "text_chunking" -> chunk(config);
      case "text_embedding" -> embed(config);
      case "trim" -> new TextChange(new Kind.Trim(), target(config));
      case "uppercase" -> new TextChange(new Kind.Uppercase(), target(config));
      default -> throw new AssertionError("processor without a reader: " + type);
    };
  }

  // -- what several have

  private static Target target(ProcessorConfig config) {
    DocumentPath field = config.path("field");
    return new Target(field, config.path("target_field", field), config.missingIsIgnored());
  }

  private static Target required(ProcessorConfig config) {
    DocumentPath field = config.path("field");
    return new Target(field, config.path("target_field", field), Missing.FAILS);
  }

  private static Taken taken(ProcessorConfig config, String key, Taken otherwise) {
    return config.choice(key, Taken.REPLACE, Taken.KEEP, otherwise);
  }

  private static ValueTemplate value(ProcessorConfig config) {
    return config.reading("value", () -> ValueTemplate.of(config.value("value")));
  }

  // -- one by one

  private static Processor append(ProcessorConfig config) {
    return new AppendValues(
        config.template("field"),
        value(config),
        config.choice(
            "allow_duplicates",
            AppendValues.Duplicates.ALLOWED,
            AppendValues.Duplicates.LEFT_OUT,
            AppendValues.Duplicates.ALLOWED));
  }

  private static ConvertValue.Type convertType(ProcessorConfig config) {
    String text = config.text("type");
    for (ConvertValue.Type type : ConvertValue.Type.values()) {
      if (type.text().equals(text.toLowerCase(Locale.ROOT))) {
        return type;
      }
    }
    throw config.refused("type", "type [" + text + "] not supported, cannot convert field.");
  }

  private static Processor copy(ProcessorConfig config) {
    return new CopyField(
        config.template("source_field"),
        config.template("target_field"),
        config.missingIsIgnored(),
        taken(config, "override_target", Taken.KEEP),
        config.flag("remove_source") ? CopyField.After.IS_REMOVED : CopyField.After.STAYS);
  }

  private static Processor date(ProcessorConfig config) {
    String localeTag = config.text("locale", "en");
    Locale locale = Locale.forLanguageTag(localeTag);
    ZoneId zone =
        config.reading(
            "timezone",
            () -> {
              String text = config.text("timezone", "UTC");
              try {
                return text.equals("UTC") ? ZoneOffset.UTC : ZoneId.of(text);
              } catch (DateTimeException e) {
                throw SearchException.illegalArgument("[" + text + "] is no time zone");
              }
            });
    return new ReadDate(
        config.path("field"),
        config.path("target_field", DocumentPath.of("@timestamp")),
        config.reading(
            "formats",
            () ->
                config.texts("formats").stream()
                    .map(format -> TimeFormat.of(format, locale))
                    .toList()),
        zone,
        config.reading(
            "output_format",
            () -> TimeFormat.formatter(config.text("output_format", DATE_OUTPUT), locale)));
  }

  private static Processor dotExpander(ProcessorConfig config) {
    String field = config.text("field");
    if (!field.contains(".")) {
      throw config.refused("field", "field does not contain a dot");
    }
    if (field.startsWith(".") || field.endsWith(".")) {
      throw config.refused("field", "field can't start or end with a dot");
    }
    // Without what DocumentPath.of takes from the front: here it is a member's name, to the letter.
    List<String> names = List.of(field.split("\\.", -1));
    if (names.contains("")) {
      throw config.refused("field", "field has an empty name between two dots");
    }
    DocumentPath checked = config.reading("field", () -> DocumentPath.of(field));
    String within = config.textOrNull("path");
    return new ExpandDots(
        within == null ? null : config.reading("path", () -> DocumentPath.of(within)),
        new DocumentPath(checked.text(), names));
  }

  private Processor forEach(ProcessorConfig config) {
    ObjectNode inner = config.object("processor");
    if (inner.size() != 1) {
      throw config.refused("processor", "Must specify exactly one processor type");
    }
    var only = inner.properties().iterator().next();
    return new Processor.ForEach(
        config.path("field"), step(only.getKey(), only.getValue()), config.missingIsIgnored());
  }

  private static Processor gsub(ProcessorConfig config) {
    return new TextChange(
        new Kind.Replace(
            config.reading("pattern", () -> BoundedRegex.compile(config.text("pattern"))),
            config.text("replacement")),
        target(config));
  }

  private static Processor json(ProcessorConfig config) {
    DocumentPath field = config.path("field");
    boolean isRoot = config.flag("add_to_root");
    String target = config.textOrNull("target_field");
    if (isRoot && target != null) {
      throw config.refused(
          "target_field", "Cannot set a target field while also setting `add_to_root` to true");
    }
    return new ReadJson(
        field,
        isRoot
            ? new ReadJson.Into.Root()
            : new ReadJson.Into.Field(
                target == null
                    ? field
                    : config.reading("target_field", () -> DocumentPath.of(target))));
  }

  private static Processor call(ProcessorConfig config) {
    return new Processor.Call(
        config.reading("name", () -> Template.of(config.text("name"))),
        config.missingIsIgnored("ignore_missing_pipeline"));
  }

  private static Processor remove(ProcessorConfig config) {
    JsonNode kept = config.take("exclude_field");
    if (kept == null) {
      return new RemoveFields(
          new RemoveFields.Choice.Those(
              config.reading(
                  "field", () -> config.texts("field").stream().map(PathTemplate::of).toList())),
          config.missingIsIgnored());
    }
    if (config.take("field") != null) {
      throw config.refused("exclude_field", "either [field] or [exclude_field] is said, not both");
    }
    List<String> names = new ArrayList<>();
    for (JsonNode each : kept instanceof ArrayNode array ? array : List.of(kept)) {
      names.add(Values.requireText(each, "exclude_field"));
    }
    return new RemoveFields(
        new RemoveFields.Choice.AllBut(Set.copyOf(names)), config.missingIsIgnored());
  }

  private static Processor rename(ProcessorConfig config) {
    return new RenameField(
        config.template("field"),
        config.template("target_field"),
        config.missingIsIgnored(),
        taken(config, "override_target", Taken.KEEP));
  }

  private static Processor set(ProcessorConfig config) {
    return new SetValue(
        config.template("field"), value(config), taken(config, "override", Taken.REPLACE));
  }

  private static Processor split(ProcessorConfig config) {
    return new SplitText(
        target(config),
        config.reading("separator", () -> BoundedRegex.compile(config.text("separator"))),
        config.flag("preserve_trailing") ? SplitText.Trailing.KEPT : SplitText.Trailing.LEFT_OUT);
  }

  private static Processor embed(ProcessorConfig config) {
    String model = config.text("model_id", ModelDefinition.DEFAULT_ID);
    int batch = config.integer("batch_size", 1);
    if (batch < 1 || batch > BATCH_MAX) {
      throw config.refused(
          "batch_size", "property must be between 1 and " + BATCH_MAX + ", got [" + batch + "]");
    }
    return new Processor.Embed(
        new TextEmbedding(
            model,
            config.reading("field_map", () -> FieldMap.of(config.object("field_map"))),
            config.flag("skip_existing")
                ? TextEmbedding.Existing.KEPT
                : TextEmbedding.Existing.REPLACED));
  }

  private static Processor chunk(ProcessorConfig config) {
    FieldMap fields = config.reading("field_map", () -> FieldMap.of(config.object("field_map")));
    ObjectNode algorithm = config.object("algorithm");
    if (algorithm.size() != 1) {
      throw config.refused("algorithm", "property must name exactly one algorithm");
    }
    var only = algorithm.properties().iterator().next();
    Chunking chunking =
        config.reading("algorithm", () -> ChunkingReader.read(only.getKey(), only.getValue()));
    return new ChunkText(fields, chunking, config.missingIsIgnored());
  }
}
