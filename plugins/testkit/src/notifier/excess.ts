import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import type { ConformanceCase } from '../case.js';
import { caseWith, type NotifierSuiteOptions, rejection } from './harness.js';
import type { Sink } from './sink.js';

const mebibyte = 1_048_576;
const gibibyte = 1024 * mebibyte;
/** What the buffers of two machines hold anyway, with a margin. */
const readable = 64 * mebibyte;
const redirects = 30;

/** Receivers that send far too much. */
export function excessCases(options: NotifierSuiteOptions): ConformanceCase[] {
  return [
    caseWith(options, 'an answer of a gibibyte is not read completely', async ({ sink, send }) => {
      const flood = floodOf(sink, 200);
      await send().catch(() => undefined);
      flood.check();
    }),
    caseWith(options, 'an error answer of a gibibyte is not read completely', async ({ sink, send }) => {
      const flood = floodOf(sink, 500);
      await rejection(send(), 'an answer of 500');
      flood.check();
    }),
    caseWith(options, 'a loop of redirects ends', async ({ sink, send }) => {
      sink.answer = (response, { path }) => void response.writeHead(307, { location: path }).end();
      await rejection(send(), 'a loop of redirects');
      assert.ok(sink.requests.length <= redirects, `it was followed ${sink.requests.length} times`);
    }),
  ];
}

function floodOf(sink: Sink, code: number): { check(): void } {
  let taken = 0;
  sink.answer = (response) => {
    response.writeHead(code, { 'content-length': gibibyte });
    pour(response, (bytes) => {
      taken += bytes;
      return taken <= readable;
    });
  };
  return { check: () => assert.ok(taken <= readable, 'it did not stop reading the answer') };
}

/** Writes as fast as it is read, until `more` returns false. */
function pour(response: ServerResponse, more: (bytes: number) => boolean): void {
  const chunk = Buffer.alloc(mebibyte, 'x');
  const next = () => {
    if (response.destroyed) return;
    if (!more(chunk.length)) response.destroy();
    else response.write(chunk, (error) => error || setImmediate(next));
  };
  next();
}
