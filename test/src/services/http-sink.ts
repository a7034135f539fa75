import type { Sink } from '@holdfast/core/conformance';

export { replyWith, Sink as HttpSink, type SinkAnswer, type SinkRequest } from '@holdfast/core/conformance';

/** The URL of the webhook transport that delivers to a sink. */
export const webhookUrl = (sink: Sink, path = '/hook'): string => `json://${sink.host}${path}`;
