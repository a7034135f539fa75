import { statesSuite } from '@holdfast/testkit';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { MosquittoServer, openStates, readAsHome, retainedBy, urlOf } from './broker.js';

let server: MosquittoServer;
beforeAll(async () => {
  server = await MosquittoServer.start();
});
afterAll(() => server?.remove());

const opened = async (url: string) => {
  const publisher = await openStates({ url });
  return { publisher, close: async () => publisher.stop?.() };
};

describe('states-mqtt passes the suite for states', () => {
  const suite = statesSuite({
    open: () => opened(urlOf(server)),
    openWithoutReceiver: () => opened('mqtt://127.0.0.1:1'),
    shown: async () => readAsHome(await retainedBy(server)),
  });
  for (const { name, run } of suite) it(name, run);
});
