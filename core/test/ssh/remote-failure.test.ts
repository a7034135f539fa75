import { expect, it } from 'vitest';
import { remoteFailure } from '../../src/backup/ssh/remote-failure.js';
import { RemoteHostError, type RemoteHostErrorKind } from '../../src/foundation/kernel/index.js';

it.each<[RemoteHostErrorKind, string, string]>([
  ['unreachable', 'unavailable', 'host_unreachable'],
  ['timeout', 'unavailable', 'host_timeout'],
  ['authentication', 'unavailable', 'host_authentication'],
  ['host_key_changed', 'conflict', 'host_key_changed'],
  ['protocol', 'unavailable', 'host_protocol'],
  ['refused', 'conflict', 'host_refused'],
  ['missing', 'not_found', 'host_missing'],
  ['permission', 'forbidden', 'host_permission'],
  ['disk_full', 'unavailable', 'host_disk_full'],
  ['cancelled', 'unavailable', 'host_cancelled'],
  ['failed', 'unavailable', 'host_failed'],
])('reports a host that fails with %s as %s, code %s', (kind, code, reason) => {
  const problem = 'nas.example does not want that.';
  expect(remoteFailure(new RemoteHostError(kind, problem, { step: 'test' }))).toMatchObject({
    code,
    detail: problem,
    reason: { code: reason, params: { problem } },
  });
});

it.each<[RemoteHostErrorKind, number | undefined]>([
  ['unreachable', 30],
  ['timeout', 30],
  ['disk_full', undefined],
])('names the next try of a host that fails with %s', (kind, seconds) => {
  const failure = remoteFailure(new RemoteHostError(kind, 'No answer.', { step: 'test' }));
  expect(failure.retryAfterSeconds).toBe(seconds);
});
