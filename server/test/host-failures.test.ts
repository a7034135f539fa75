import { messageOf } from '@holdfast/core/server';
import { expect, it } from 'vitest';
import { atJump, notForwarded, socketFailure } from '../src/adapters/ssh2-remote-host/failures.js';

const place = { host: 'nas', port: 22, username: 'ann', authentication: { password: 'x' } };
const refused = socketFailure(place, Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }));
const values = { host: 'nas', port: 22, why: 'the connection was refused' };

it('says by a code why a host is unreachable', () => {
  expect(messageOf(refused)).toEqual({
    code: 'host_unreachable',
    params: {
      problem: "nas port 22 can't be reached: the connection was refused.",
      problem_code: 'host_not_reached',
      problem_values: JSON.stringify(values),
    },
    text: "nas port 22 can't be reached: the connection was refused.",
  });
});

it('describes a failure on the way to a host by codes', () => {
  const { text, params } = messageOf(atJump(refused));
  expect(text).toBe(`On a jump host: ${refused.message}`);
  expect(params).toMatchObject({ problem_code: 'host_on_the_way' });
  expect(JSON.parse(String(params.problem_values))).toEqual({
    problem: refused.message,
    problem_code: 'host_not_reached',
    problem_values: JSON.stringify(values),
  });
  const denied = notForwarded(
    place,
    { ...place, host: 'gate' },
    Object.assign(new Error('no'), { reason: 1 }),
  );
  expect(messageOf(denied).params).toMatchObject({ problem_code: 'host_not_forwarded' });
});
