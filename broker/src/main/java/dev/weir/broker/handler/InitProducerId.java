package dev.weir.broker.handler;

import dev.weir.broker.network.Exchange;
import dev.weir.broker.network.RequestHandler;
import dev.weir.protocol.ApiKey;
import dev.weir.protocol.ErrorCode;
import dev.weir.protocol.message.InitProducerIdRequest;
import dev.weir.protocol.message.InitProducerIdResponse;

/**
 * InitProducerId: a new producer id for an idempotent producer. One that has a transactional id is
 * refused, since transactions have no coordinator here.
 */
public final class InitProducerId implements RequestHandler<InitProducerIdRequest> {
  private static final short FIRST_EPOCH = 0;
  private static final short NO_EPOCH = -1;

  private final ProducerIds ids;

  public InitProducerId(ProducerIds ids) {
    this.ids = ids;
  }

  @Override
  public ApiKey apiKey() {
    return ApiKey.INIT_PRODUCER_ID;
  }

  @Override
  public Class<InitProducerIdRequest> requestType() {
    return InitProducerIdRequest.class;
  }

  @Override
  public void handle(Exchange exchange, InitProducerIdRequest request) {
    if (request.transactionalId() != null) {
      exchange.reply(failed(ErrorCode.INVALID_REQUEST));
      return;
    }
    exchange.replyWith(
        ids.next()
            .handle(
                (id, failure) ->
                    id == null
                        ? failed(Failures.codeOf(failure))
                        : InitProducerIdResponse.DEFAULT
                            .withProducerId(id)
                            .withProducerEpoch(FIRST_EPOCH)));
  }

  private static InitProducerIdResponse failed(ErrorCode error) {
    return InitProducerIdResponse.DEFAULT.withErrorCode(error.code()).withProducerEpoch(NO_EPOCH);
  }
}
