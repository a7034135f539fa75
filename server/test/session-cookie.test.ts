import type { Request, Response } from 'express';
import { expect, test } from 'vitest';
import {
  clearSessionCookie,
  readSessionCookie,
  writeSessionCookie,
} from '../src/http/sign-in/session-cookie.js';

function exchange(secure: boolean, cookie = '') {
  const sent: string[] = [];
  const note = (name: string, path: unknown) => sent.push(`${name} ${path}`);
  const req = { secure, headers: { cookie }, baseUrl: '/holdfast' } as unknown as Request;
  const res = {
    cookie: (name: string, _value: string, { path, secure: flag }: { path: string; secure: boolean }) =>
      note(`+${name}`, `${path} ${flag}`),
    clearCookie: (name: string, { path }: { path: string }) => note(`-${name}`, path),
  } as unknown as Response;
  return { req, res, sent };
}
const path = '/holdfast/api/auth/session';
const session = { refreshToken: 'hfs_x', keepForMs: null };

test('adds a prefix to the cookie name over HTTPS', () => {
  const plain = exchange(false);
  writeSessionCookie(plain, session);
  expect(plain.sent).toEqual([`+holdfast_session ${path} false`]);
  const secure = exchange(true);
  writeSessionCookie(secure, session);
  expect(secure.sent).toEqual([`+__Secure-holdfast_session ${path} true`]);
  clearSessionCookie(secure);
  expect(secure.sent[1]).toBe(`-__Secure-holdfast_session ${path}`);
});

test('keeps a session from before the prefix, and replaces its cookie', () => {
  const former = exchange(true, 'holdfast_session=old');
  expect(readSessionCookie(former.req)).toBe('old');
  writeSessionCookie(former, session);
  expect(former.sent).toEqual([`+__Secure-holdfast_session ${path} true`, `-holdfast_session ${path}`]);
  const both = exchange(true, 'holdfast_session=old; __Secure-holdfast_session=new');
  expect(readSessionCookie(both.req)).toBe('new');
  expect(readSessionCookie(exchange(false, '__Secure-holdfast_session=new').req)).toBeUndefined();
});
