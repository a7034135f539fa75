import { expect, test } from 'vitest';
import { connectionFailure } from '../src/connection-errors.js';
import { ToolLog } from '../src/parse/tool-log.js';

const target = {
  uid: 'u',
  passphrase: null,
  keyFile: null,
  location: 'ssh://me@box:22/r',
  remoteToolPath: null,
};
const exit = { code: 2, signal: null, stopped: false, spawnError: null, log: new ToolLog({}) };

test.each([
  'Unable to negotiate with 127.0.0.1 port 22: no matching host key type found. Their offer: ssh-rsa,ssh-dss',
  'Unable to negotiate with 127.0.0.1 port 22: no matching key exchange method found. Their offer: x',
])('names old algorithms when ssh says %j', (connectionLog) => {
  expect(connectionFailure(target, { ...exit, connectionLog })).toMatchObject({
    kind: 'connection',
    message: expect.stringMatching(/^box only offers old SSH algorithms/),
  });
});
