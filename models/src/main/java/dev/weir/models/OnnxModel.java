package dev.weir.models;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import dev.weir.search.model.ModelCall;
import dev.weir.search.model.ModelFailure;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * An ONNX file in memory that takes BERT's inputs. Runs one input at a time: the quantised models
 * scale by the largest activation of the whole input, so that in a batch the result for one text
 * would depend on the others. Safe for use by any thread.
 */
final class OnnxModel implements AutoCloseable {

  private static final String IDS = "input_ids";
  private static final String MASK = "attention_mask";
  private static final String SEGMENTS = "token_type_ids";

  private final OrtEnvironment environment;
  private final OrtSession session;
  private final Set<String> inputs;

  /**
   * The first output for one input.
   *
   * @param shape as the model gives it, with 1 for the input itself in front
   */
  @SuppressWarnings("ArrayRecordComponent") // read by the caller at once
  record Output(long[] shape, float[] values) {}

  private OnnxModel(OrtEnvironment environment, OrtSession session) {
    this.environment = environment;
    this.session = session;
    this.inputs = Set.copyOf(session.getInputNames());
  }

  /**
   * Reads a model.
   *
   * @param name what to call it in a message
   * @throws ModelFailure if the bytes are no model, or one with other inputs than BERT's
   */
  static OnnxModel of(byte[] bytes, String name) {
    try {
      OrtEnvironment environment = OrtEnvironment.getEnvironment();
      OrtSession session;
      try (OrtSession.SessionOptions options = new OrtSession.SessionOptions()) {
        // The calling thread does the work; how many of them there are is not the runtime's affair.
        options.setIntraOpNumThreads(1);
        options.setInterOpNumThreads(1);
        session = environment.createSession(bytes, options);
      }
      OnnxModel model = new OnnxModel(environment, session);
      model.requireInputs(name);
      return model;
    } catch (OrtException e) {
      throw new ModelFailure(name + " cannot be loaded: " + e.getMessage(), e);
    } catch (LinkageError e) {
      throw new ModelFailure(
          "the runtime for models does not load on this machine: " + e.getMessage(), e);
    }
  }

  private void requireInputs(String name) {
    if (!inputs.contains(IDS) || !Set.of(IDS, MASK, SEGMENTS).containsAll(inputs)) {
      close();
      throw new ModelFailure(
          name
              + " has the inputs "
              + inputs.stream().sorted().toList()
              + "; served are models that take "
              + IDS
              + " and, if they like, "
              + MASK
              + " and "
              + SEGMENTS);
    }
  }

  /**
   * Runs one input on the calling thread.
   *
   * @throws ModelFailure if the runtime fails, or the call is stopped
   */
  Output run(WordPiece.Input input, ModelCall call) {
    long[] mask = new long[input.ids().length];
    Arrays.fill(mask, 1);
    Map<String, OnnxTensor> tensors = new HashMap<>();
    try (OrtSession.RunOptions options = new OrtSession.RunOptions()) {
      put(IDS, input.ids(), tensors);
      put(MASK, mask, tensors);
      put(SEGMENTS, input.segments(), tensors);
      Runnable stop = () -> stop(options);
      call.began(stop);
      try (OrtSession.Result result = session.run(tensors, options)) {
        return output(result);
      } finally {
        call.ended(stop);
      }
    } catch (OrtException e) {
      throw new ModelFailure(
          call.isStopped() ? "it was stopped" : "it cannot be run: " + e.getMessage(), e);
    } finally {
      tensors.values().forEach(OnnxTensor::close);
    }
  }

  private void put(String name, long[] values, Map<String, OnnxTensor> tensors)
      throws OrtException {
    if (inputs.contains(name)) {
      long[] shape = {1, values.length};
      tensors.put(name, OnnxTensor.createTensor(environment, LongBuffer.wrap(values), shape));
    }
  }

  private static Output output(OrtSession.Result result) {
    if (!(result.get(0) instanceof OnnxTensor tensor)) {
      throw new ModelFailure("its first output is no tensor");
    }
    FloatBuffer values = tensor.getFloatBuffer();
    if (values == null) {
      throw new ModelFailure("its first output holds no floats: " + tensor.getInfo());
    }
    float[] copy = new float[values.remaining()];
    values.get(copy);
    return new Output(tensor.getInfo().getShape(), copy);
  }

  private static void stop(OrtSession.RunOptions options) {
    try {
      options.setTerminate(true);
    } catch (OrtException e) {
      throw new ModelFailure("a run cannot be stopped: " + e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    try {
      session.close();
    } catch (OrtException e) {
      throw new ModelFailure("the memory of a model cannot be freed: " + e.getMessage(), e);
    }
  }
}
