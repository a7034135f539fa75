import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import {
  cacheable,
  conditional,
  done,
  failures,
  idText,
  integerText,
  outdated,
  type RouteMetadata,
  retryable,
} from './common.js';
import {
  deliveryView,
  newNotificationSetting,
  notificationSettingChanges,
  notificationSettingView,
  notificationSettingWritten,
  notificationTest,
} from './schemas/notification.js';

const c = initContract();
const tag = 'Notifications';
const anyUser = { access: { who: 'any' }, tag } satisfies RouteMetadata;
const admin = { access: { who: 'admin' }, tag } satisfies RouteMetadata;
const itsId = z.object({ setting_id: idText });

export const notificationsContract = c.router({
  list: {
    method: 'GET',
    path: '/api/notifications',
    summary: 'List the notification settings',
    description: 'Service URLs are shown whole to administrators only.',
    responses: { 200: z.array(notificationSettingView), ...failures },
    metadata: { ...anyUser, audit: 'secret', reveals: 'service_url' } satisfies RouteMetadata,
  },
  create: {
    method: 'POST',
    path: '/api/notifications',
    summary: 'Make a notification setting',
    description: 'Nothing is sent: POST /api/notifications/test tries a service URL.',
    body: newNotificationSetting.passthrough(),
    responses: { 201: notificationSettingWritten, ...failures },
    headers: retryable,
    metadata: { ...admin, creates: 'resource', reveals: 'service_url' } satisfies RouteMetadata,
  },
  test: {
    method: 'POST',
    path: '/api/notifications/test',
    summary: 'Send a test message to a service URL without saving it',
    description: '`success` is false when it could not be sent; `message` then says what the far side said.',
    body: notificationTest,
    responses: { 200: z.object({ success: z.boolean(), message: z.string() }), ...failures },
    metadata: { cost: 'high', ...admin, creates: 'nothing' } satisfies RouteMetadata,
  },
  get: {
    method: 'GET',
    path: '/api/notifications/:setting_id',
    summary: 'Show one notification setting',
    description: 'The service URL is shown whole to administrators only.',
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
    summary: 'Change a notification setting',
    description: 'Fields that are not given stay as they are.',
    pathParams: itsId,
    body: notificationSettingChanges.passthrough(),
    responses: { 200: notificationSettingWritten, ...failures, ...outdated },
    headers: conditional,
    metadata: { ...admin, version: 'notification', reveals: 'service_url' } satisfies RouteMetadata,
  },
  delete: {
    method: 'DELETE',
    path: '/api/notifications/:setting_id',
    summary: 'Remove a notification setting with its messages, also those not sent yet',
    description: 'Messages to it that still wait are dropped.',
    pathParams: itsId,
    body: c.noBody(),
    responses: { 204: c.noBody(), ...failures, ...outdated },
    headers: conditional,
    metadata: { ...admin, version: 'notification' } satisfies RouteMetadata,
  },
  deliveries: {
    method: 'GET',
    path: '/api/notifications/:setting_id/deliveries',
    summary: 'Page through the messages of a setting, newest first',
    description: 'With the state of each, and the last error of those that were not delivered.',
    pathParams: itsId,
    query: z.object({
      status: deliveryView.shape.status.optional(),
      limit: integerText({ min: 1, max: 1000, fallback: 50 }),
      offset: integerText({ min: 0, max: Number.MAX_SAFE_INTEGER, fallback: 0 }),
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
    summary: 'Send a message again, or at once if it still waits',
    description: 'It keeps its id: a receiver that drops doubles and got it already drops it.',
    pathParams: itsId.extend({ delivery_id: idText }),
    body: z.unknown().optional(),
    responses: { 200: done.extend({ delivery: deliveryView }), ...failures },
    metadata: { cost: 'high', ...admin, creates: 'nothing' } satisfies RouteMetadata,
  },
});
