import { notificationKinds } from './notification-kind.rules.js';
import {
  type DeliveryEngine,
  type DeliveryEngineParts,
  makeDeliveryEngine,
} from './delivery-engine.js';
import type { Dependencies } from '../dependencies.js';
import { sendDelivery } from './send-delivery.js';

type Needs = Pick<
  Dependencies,
  'storage' | 'secrets' | 'notifiers' | 'redactor' | 'log' | 'clock' | 'events'
>;

/** Sends what is in the outbox, beside any number of other instances on the same storage. */
export function makeNotificationRunner(
  needs: Needs,
  { instanceId, timings }: Pick<DeliveryEngineParts, 'instanceId' | 'timings'>,
): DeliveryEngine {
  const { storage, clock, log, events } = needs;
  const engine = makeDeliveryEngine({ storage, clock, log, instanceId, timings, send: sendDelivery(needs) });
  const unfollow = events.follow(notificationKinds, (_, mayHaveMessages) => {
    if (mayHaveMessages) return engine.look();
  });
  return {
    ...engine,
    stop(graceMs) {
      unfollow();
      return engine.stop(graceMs);
    },
  };
}
