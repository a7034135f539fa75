import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import {
  cacheable,
  conditional,
  done,
  failures,
  idText,
  message,
  outdated,
  type RouteMetadata,
  retryable,
} from './common.js';
import * as field from './schemas/fields.js';
import {
  deliveryView,
  newNotificationSetting,
  notificationServiceView,
  notificationSettingChanges,
  notificationSettingView,
  notificationSettingWritten,
  notificationTest,
} from './schemas/notification.js';
import { messageCode } from './schemas/sentence.js';

const c = initContract();
const tag = 'Notifications';
const anyUser = { access: { who: 'any' }, tag } satisfies RouteMetadata;
const admin = { access: { who: 'admin' }, tag } satisfies RouteMetadata;
const confirmed = { access: { who: 'admin', confirm: 'always' }, tag } satisfies RouteMetadata;
const itsId = z.object({
  setting_id: idText.openapi({ description: 'Id of the notification channel.' }),
});

export const notificationsContract = c.router({
  list: {
    method: 'GET',
    path: '/api/notifications',
    summary: 'List the notification channels',
    description: 'Only administrators see service URLs unmasked.',
    responses: { 200: z.array(notificationSettingView), ...failures },
    metadata: { ...anyUser, audit: 'secret', reveals: 'service_url' } satisfies RouteMetadata,
  },
  create: {
    method: 'POST',
    path: '/api/notifications',
    summary: 'Create a notification channel',
    description: 'Nothing is sent. Use POST /api/notifications/test to test a service URL.',
    body: newNotificationSetting.passthrough().openapi({
      example: {
        name: 'Chat',
        service_url: 'jsons://user:password@hooks.example.org/backup',
        notify_on_backup_success: true,
      },
    }),
    responses: { 201: notificationSettingWritten, ...failures },
    headers: retryable,
    metadata: { ...admin, creates: 'resource', reveals: 'service_url' } satisfies RouteMetadata,
  },
  test: {
    method: 'POST',
    path: '/api/notifications/test',
    summary: 'Send a test message to a service URL without saving it',
    description:
      '`success` is false if it could not be sent; `message` then contains the reply of the receiver.',
    body: notificationTest,
    responses: { 200: z.object({ success: field.succeeded, message, ...messageCode }), ...failures },
    metadata: { cost: 'high', ...admin, creates: 'nothing' } satisfies RouteMetadata,
  },
  services: {
    method: 'GET',
    path: '/api/notifications/services',
    summary: 'List the services that messages can be sent to, with the fields of their URLs',
    description: 'For forms: ask for the fields, and build the service URL with the template.',
    responses: { 200: z.array(notificationServiceView), ...failures },
    metadata: anyUser,
  },
  get: {
    method: 'GET',
    path: '/api/notifications/:setting_id',
    summary: 'Show one notification channel',
    description: 'Only administrators see the service URL unmasked.',
    pathParams: itsId,
    responses: { 200: notificationSettingView, 304: c.noBody(), ...failures },
    headers: cacheable,
    metadata: {
      ...anyUser,
      version: 'notification',
      audit: 'secret',
      reveals: 'service_url',
    } satisfies RouteMetadata,
  },
  update: {
    method: 'PUT',
    path: '/api/notifications/:setting_id',
    summary: 'Change a notification channel',
    description: 'Absent fields are not changed.',
    pathParams: itsId,
    body: notificationSettingChanges.passthrough().openapi({
      example: { notify_on_backup_success: false, failure_grouping_minutes: 60 },
    }),
    responses: { 200: notificationSettingWritten, ...failures, ...outdated },
    headers: conditional,
    metadata: { ...confirmed, version: 'notification', reveals: 'service_url' } satisfies RouteMetadata,
  },
  delete: {
    method: 'DELETE',
    path: '/api/notifications/:setting_id',
    summary: 'Remove a notification channel and its messages',
    description: 'Messages that have not been sent yet are discarded.',
    pathParams: itsId,
    body: c.noBody(),
    responses: { 204: c.noBody(), ...failures, ...outdated },
    headers: conditional,
    metadata: { ...confirmed, version: 'notification' } satisfies RouteMetadata,
  },
  deliveries: {
    method: 'GET',
    path: '/api/notifications/:setting_id/deliveries',
    summary: 'Page through the messages of a channel, newest first',
    description: 'With the status of each message, and the last error of undelivered ones.',
    pathParams: itsId,
    query: z.object({
      status: deliveryView.shape.status.optional(),
      limit: field.limitText({ max: 1000, fallback: 50 }),
      offset: field.offsetText(),
    }),
    responses: {
      200: z.object({
        success: z.literal(true),
        deliveries: z.array(deliveryView),
        total: z.number().int(),
      }),
      ...failures,
    },
    metadata: anyUser,
  },
  resend: {
    method: 'POST',
    path: '/api/notifications/:setting_id/deliveries/:delivery_id/resend',
    summary: 'Send a message again, or send a waiting one immediately',
    description:
      'The message keeps its id, so a receiver that discards duplicates ignores it if it was already delivered.',
    pathParams: itsId.extend({ delivery_id: idText.openapi({ description: 'Id of the message.' }) }),
    body: z.unknown().optional(),
    responses: { 200: done.extend({ delivery: deliveryView }), ...failures },
    metadata: { cost: 'high', ...admin, creates: 'nothing' } satisfies RouteMetadata,
  },
});
