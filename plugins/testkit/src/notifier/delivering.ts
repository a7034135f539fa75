import assert from 'node:assert/strict';
import type { NotificationTransport } from '@holdfast/plugin-api';
import type { ConformanceCase } from '../case.js';
import { assertCarries } from './arrived.js';
import { caseWith, type NotifierSuiteOptions, sample } from './harness.js';
import { serviceUrl } from './service-form.js';
import { replyWith } from './sink.js';

export function deliveringCases(options: NotifierSuiteOptions): ConformanceCase[] {
  return [
    caseWith(options, 'names its schemes, and the URL has one of them', async ({ transport, url }) => {
      assert.ok(transport.schemes.length > 0, 'it lists no scheme');
      const scheme = url.split('://')[0] ?? '';
      const served = transport.schemes.includes(scheme) || transport.schemes.includes('*');
      assert.ok(served, `${scheme} is not one of ${transport.schemes.join(', ')}`);
      assert.equal(transport.check?.(url) ?? null, null, 'it rejects a valid URL');
      assertUsableForm(transport);
    }),
    caseWith(options, 'a message arrives once, with its title and body', async ({ sink, send }) => {
      await send();
      assert.equal(sink.requests.length, 1, `the receiver got ${sink.requests.length} requests`);
      assertCarries(sink.requests[0], sample.title, 'the title');
      assertCarries(sink.requests[0], sample.body, 'the body');
    }),
    caseWith(options, 'letters of all languages, quotes and line breaks arrive', async ({ sink, send }) => {
      const title = 'Ärger: "größer" & <b>kaputt</b> 100 % + 日本語 🚀';
      const body = 'first line\nsecond "line" with \\ and \'quotes\'\n\n<p>ü & 漢字</p> %41 {x} 👍🏽\nlast';
      await send({ ...sample, title, body });
      assertCarries(sink.requests[0], title, 'the title');
      assertCarries(sink.requests[0], body, 'the body');
    }),
    caseWith(options, 'a long body arrives complete', async ({ sink, send }) => {
      const body = Array.from({ length: 2_000 }, (_, index) => `line ${index} of a long report`).join('\n');
      await send({ ...sample, body });
      assertCarries(sink.requests[0], body.slice(0, options.longestBody), 'the body');
    }),
    caseWith(options, 'every type of message is accepted', async ({ sink, send }) => {
      const types = ['info', 'success', 'warning', 'failure'] as const;
      for (const type of types) await send({ ...sample, type });
      assert.equal(sink.requests.length, types.length);
    }),
    caseWith(options, 'messages that are sent in parallel arrive once each', async ({ sink, send }) => {
      const bodies = Array.from({ length: 20 }, (_, index) => `message <${index}>`);
      await Promise.all(bodies.map((body, index) => send({ ...sample, id: `evt-${index}`, body })));
      assert.equal(sink.requests.length, bodies.length, 'not one request for each message');
      for (const [index, body] of bodies.entries()) {
        const carrying = sink.requests.filter((request) => carries(request, body));
        assert.equal(carrying.length, 1, `message ${index} arrived ${carrying.length} times`);
      }
    }),
    caseWith(options, 'waits for a slow receiver', async ({ sink, send }) => {
      sink.answer = (response, request) => void setTimeout(() => replyWith(200)(response, request), 1_500);
      await send();
      assert.equal(sink.requests.length, 1, 'a message was sent again before its answer arrived');
    }),
  ];
}

/** A form may build a URL with all of its fields, or with only those that are required. */
function assertUsableForm(transport: NotificationTransport): void {
  const { schemes, service } = transport;
  if (service === undefined) return;
  for (const fields of [service.fields, service.fields.filter(({ required }) => required)]) {
    const values = Object.fromEntries(fields.map(({ name, example }) => [name, example]));
    const built = serviceUrl({ schemes, template: service.template }, values);
    assert.equal(transport.check?.(built) ?? null, null, `it rejects the URL of its own form, ${built}`);
  }
}

function carries(request: Parameters<typeof assertCarries>[0], text: string): boolean {
  try {
    assertCarries(request, text, '');
    return true;
  } catch {
    return false;
  }
}
