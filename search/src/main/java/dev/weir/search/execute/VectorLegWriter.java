package dev.weir.search.execute;

import dev.weir.search.query.FilterOrigin;
import dev.weir.search.query.KnnExtent;
import dev.weir.search.query.Query;
import dev.weir.search.query.QueryWriter;
import dev.weir.search.query.VectorLeg;
import dev.weir.search.query.VectorLeg.Restriction;
import dev.weir.search.query.VectorSearch;
import dev.weir.search.vector.SegmentReport;
import dev.weir.search.vector.VectorReport;
import dev.weir.search.vector.VectorStep;
import dev.weir.search.vector.VectorStep.Reason;
import dev.weir.search.vector.VectorStep.Walked;
import java.util.List;
import java.util.Locale;
import tools.jackson.core.JsonGenerator;

/** Writes what one vector search did, and under which filters. */
final class VectorLegWriter {
  /** Longer filters are left out: each would be told again for every search and shard. */
  static final int FILTER_CHARACTERS_MAX = 16_384;

  private VectorLegWriter() {}

  static void write(ShardReport.Leg leg, SearchProfile.Kind kind, JsonGenerator out) {
    VectorLeg vectors = leg.leg();
    VectorReport report = leg.report();
    out.writeStartObject();
    Integer part = leg.part();
    if (part != null && kind == SearchProfile.Kind.SUB_QUERIES) {
      out.writeNumberProperty("sub_query", part.intValue());
    }
    if (vectors.search() instanceof VectorSearch.Knn knn) {
      out.writeStringProperty("field", knn.field());
    }
    String path = vectors.path();
    if (path != null) {
      out.writeStringProperty("nested_path", path);
    }
    write(leg.extent(), out);
    Query filter = vectors.search().filter();
    out.writeName("filter");
    if (filter == null) {
      out.writeNull();
    } else {
      write(filter, out);
    }
    write("filter_origins", vectors.inside(), out);
    write("filtered_after", vectors.after(), out);
    out.writeNumberProperty("found", report.found());
    out.writeNumberProperty("distances", report.distances());
    if (report.rescored() > 0) {
      out.writeNumberProperty("rescored", report.rescored());
    }
    if (report.siblings() > 0) {
      out.writeNumberProperty("expanded", report.siblings());
    }
    out.writeNumberProperty("time_in_nanos", report.elapsedNs());
    out.writeName("segments");
    out.writeStartArray();
    report.segments().forEach(segment -> write(segment, out));
    out.writeEndArray();
    out.writeEndObject();
  }

  private static void write(KnnExtent extent, JsonGenerator out) {
    switch (extent) {
      case KnnExtent.Nearest(int k) -> out.writeNumberProperty("k", k);
      case KnnExtent.MinScore(float score) -> out.writeNumberProperty("min_score", score);
      case KnnExtent.MaxDistance(float distance) ->
          out.writeNumberProperty("max_distance", distance);
    }
  }

  private static void write(String name, List<Restriction> restrictions, JsonGenerator out) {
    out.writeName(name);
    out.writeStartArray();
    for (Restriction restriction : restrictions) {
      out.writeStartObject();
      out.writeName("from");
      out.writeStartArray();
      for (FilterOrigin origin : restriction.origins()) {
        out.writeString(origin.text());
      }
      out.writeEndArray();
      out.writeName("query");
      write(restriction.query(), out);
      out.writeEndObject();
    }
    out.writeEndArray();
  }

  private static void write(Query query, JsonGenerator out) {
    String json = QueryWriter.toJson(query, FILTER_CHARACTERS_MAX + 1);
    if (json.length() <= FILTER_CHARACTERS_MAX) {
      out.writeRawValue(json);
    } else {
      out.writeString("left out: more than " + FILTER_CHARACTERS_MAX + " characters");
    }
  }

  private static void write(SegmentReport segment, JsonGenerator out) {
    out.writeStartObject();
    out.writeStringProperty("segment", segment.segment());
    out.writeNumberProperty("documents", segment.documents());
    Integer passing = segment.passing();
    if (passing != null) {
      out.writeNumberProperty("passing", passing.intValue());
    }
    out.writeNumberProperty("vectors", segment.vectors());
    out.writeNumberProperty("accepted", segment.accepted());
    SegmentReport.FilterUse use = segment.filter();
    if (use != null) {
      out.writeName("filter_bits");
      out.writeStartObject();
      out.writeStringProperty("cache", text(use.outcome()));
      out.writeNumberProperty("time_in_nanos", use.elapsedNs());
      out.writeEndObject();
    }
    out.writeStringProperty("strategy", text(segment.strategy()));
    out.writeNumberProperty("distances", segment.distances());
    out.writeNumberProperty("time_in_nanos", segment.elapsedNs());
    out.writeName("steps");
    out.writeStartArray();
    for (int i = 0; i < segment.taken().size(); i++) {
      write(segment, i, out);
    }
    out.writeEndArray();
    out.writeEndObject();
  }

  private static void write(SegmentReport segment, int place, JsonGenerator out) {
    SegmentReport.Taken taken = segment.taken().get(place);
    out.writeStartObject();
    switch (taken.step()) {
      case VectorStep.Scan(Reason reason) -> {
        out.writeStringProperty("step", "exact");
        out.writeStringProperty("reason", text(reason));
        out.writeStringProperty("why", why(reason));
      }
      case VectorStep.Walk walk -> {
        out.writeStringProperty("step", "walk");
        out.writeStringProperty("why", why(segment, place, walk));
        out.writeNumberProperty("candidates", walk.candidates());
        if (walk.settled().visits() != VectorStep.UNBOUNDED) {
          out.writeNumberProperty("settled_after", walk.settled().visits());
        }
        if (walk.visitsMax() != VectorStep.UNBOUNDED) {
          out.writeNumberProperty("patience", walk.patience());
          out.writeNumberProperty("visits_max", walk.visitsMax());
        }
        Walked walked = taken.walked();
        if (walked != null) {
          out.writeNumberProperty("found", walked.found());
          out.writeNumberProperty("density", Math.round(walked.density() * 1e4) / 1e4);
          out.writeBooleanProperty("settled", walked.end() == VectorStep.End.SETTLED);
          out.writeBooleanProperty("cut_off", walked.isCut());
        }
      }
      case VectorStep.Done() -> throw new AssertionError("nothing was done in a step");
    }
    out.writeNumberProperty("distances", taken.distances());
    out.writeEndObject();
  }

  private static String why(SegmentReport segment, int place, VectorStep.Walk walk) {
    if (walk.sign().within() != VectorStep.UNBOUNDED) {
      return "a look before all that is accepted is scored: the walk goes on only if nearly all"
          + " that it comes upon is accepted";
    }
    if (place > 0) {
      Walked former = segment.taken().get(place - 1).walked();
      return former != null && former.isCut()
          ? "what is accepted is rare around the target, and a walk with more candidates is still"
              + " cheaper than scoring all of it"
          : "accepted documents crowd around the target here, so the walk is repeated with more"
              + " candidates";
    }
    return segment.accepted() == segment.vectors()
        ? "everything is accepted: as broad as ef_search says, until the best have settled"
        : "a walk may be cheaper than scoring all that is accepted; it is cut off as soon as it"
            + " turns out not to be";
  }

  private static String why(Reason reason) {
    return switch (reason) {
      case ALL_WANTED -> "no more are accepted than are wanted";
      case CHEAP -> "so few are accepted that scoring all of them is cheaper than any walk";
      case SETTING ->
          "the setting index.knn.advanced.filtered_exact_search_threshold says so, or the field has"
              + " no graph";
      case WALK_AS_DEAR -> "a walk over the graph would cost as much";
      case WALK_CUT_OFF ->
          "the walk was cut off: what is accepted is not where the graph leads, or is too rare";
      case WALK_STARVED -> "the walk found fewer documents than there are";
      case ALL_WITHIN -> "all that are similar enough are wanted, so each is looked at";
    };
  }

  private static String text(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
