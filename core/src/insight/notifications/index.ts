/** Notification channels, the outbox and its delivery. */

export { eventsWithMessages } from './deliveries.js';
export type { DeliveryWorker } from './delivery-worker.js';
export { fileDeliveries, linkMessages } from './event-outbox.js';
export type { WeeklyReport } from './notification-facts.rules.js';
export type { DeliveryStatus, NotificationKind } from './notification-kind.rules.js';
export { makeNotifierRegistry, type NotifierRegistry } from './notifier-registry.js';
export { forgetInNotifications, recallInNotifications } from './recall.js';
export { makeNotificationWorker } from './send-delivery.js';
export { openServiceUrl, sealServiceUrl } from './service-url.js';
export { getSetting } from './settings.js';
export * from './tables.js';
export { notificationsUseCases } from './use-cases.js';
