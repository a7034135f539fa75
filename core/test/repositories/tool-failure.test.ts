import { DriverError } from '@holdfast/plugin-api/driver';
import { expect, it } from 'vitest';
import { toolFailure as readFailure } from '../../src/backup/archives/index.js';
import { toolFailure } from '../../src/backup/repositories/index.js';

const locked = (holder?: string) => new DriverError('locked', 'Locked.', holder ? { holder } : {});

it.each([
  [toolFailure, 'repository_lock_held', 'wait until that has finished, then try again.'],
  [readFailure, 'archives_locked', 'try again when that has finished.'],
])('%o names the holder of a lock if it is known', (failure, code, rest) => {
  expect(failure(locked('nas, process 12'))).toMatchObject({
    detail: `The repository is locked by nas, process 12: ${rest}`,
    reason: { code: `${code}_by`, params: { holder: 'nas, process 12' } },
  });
  expect(failure(locked())).toMatchObject({
    detail: `The repository is locked by another program: ${rest}`,
    reason: { code, params: {} },
  });
});

it.each(['host_key_changed', 'other_repository'] as const)(
  '%s is the same for all that use the tool',
  (kind) => {
    const error = new DriverError(kind, 'It is not the known one.');
    const same = {
      code: 'conflict',
      reason: { code: `tool_${kind}`, params: { problem: 'It is not the known one.' } },
    };
    expect(toolFailure(error)).toMatchObject(same);
    expect(readFailure(error)).toMatchObject(same);
  },
);
