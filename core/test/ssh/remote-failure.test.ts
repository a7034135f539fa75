import { expect, it } from 'vitest';
import { RemoteHostError, type RemoteHostErrorKind } from '../../src/kernel/index.js';
import { remoteFailure } from '../../src/ssh/remote-failure.js';

it.each<[RemoteHostErrorKind, string, string]>([
  ['unreachable', 'unavailable', 'host_unreachable'],
  ['timeout', 'unavailable', 'host_silent'],
  ['authentication', 'unavailable', 'host_sign_in_rejected'],
  ['host_key_changed', 'conflict', 'host_key_changed'],
  ['protocol', 'unavailable', 'host_protocol_unusable'],
  ['refused', 'conflict', 'host_refused'],
  ['missing', 'not_found', 'host_path_missing'],
  ['permission', 'forbidden', 'host_path_denied'],
  ['disk_full', 'unavailable', 'host_disk_full'],
  ['cancelled', 'unavailable', 'host_work_cancelled'],
  ['failed', 'unavailable', 'host_work_failed'],
])('a host that fails with %s is %s, code %s', (kind, code, reason) => {
  const problem = 'nas.example does not want that.';
  expect(remoteFailure(new RemoteHostError(kind, problem, { step: 'test' }))).toMatchObject({
    ...{ code, detail: problem, reason: { code: reason, params: { problem } } },
  });
});
