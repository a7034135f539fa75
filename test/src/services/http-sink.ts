import type { Sink } from '@holdfast/testkit';

export { replyWith, Sink as HttpSink, type SinkAnswer, type SinkRequest } from '@holdfast/testkit';

/** The URL of the webhook transport that delivers to a sink. */
export const webhookUrl = (sink: Sink, path = '/hook'): string => `json://${sink.host}${path}`;
