import { Readable } from 'node:stream';
import type { Dump, PrepareContext } from '@holdfast/plugin-api/source';
import { beforeEach, describe, expect, it } from 'vitest';
import { streamsOf, withoutFailed } from '../../src/backup/sources/index.js';
import { dump, makeSourceScene } from './source-scene.js';

let scene: ReturnType<typeof makeSourceScene>;
beforeEach(() => {
  scene = makeSourceScene();
});

const signal = new AbortController().signal;
type Streams = ReturnType<typeof streamsOf>;

async function read(streams: Streams, at: number): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of (await streams[at]?.open(signal)) ?? []) pieces.push(piece);
  return String(Buffer.concat(pieces));
}

describe('preparing sources', () => {
  it('prepares in order, and records before each step', async () => {
    scene.behaviour.app = {
      async prepare({ record }) {
        for (const step of ['one', 'two']) {
          await record({ held: step });
          scene.steps.push(`app stops ${step}`);
        }
        return { paths: ['/volumes/app'] };
      },
    };
    const { parts } = await scene.prepare('app', 'db');
    expect(scene.took()).toEqual([
      'app begun',
      'app prepare',
      'app recorded one',
      'app stops one',
      'app recorded two',
      'app stops two',
      'app prepared',
      'db begun',
      'db prepare',
      'db prepared',
    ]);
    expect(parts.map(({ paths }) => paths)).toEqual([['/volumes/app'], []]);
    expect(scene.stateOf('app')).toMatchObject({ undo: { held: 'two' }, paths: ['/volumes/app'] });
  });

  it('gives each job a token of its own', async () => {
    let token = '';
    scene.behaviour.app = {
      async prepare(context) {
        token = context.token;
        return {};
      },
    };
    await scene.prepare('app');
    expect(token).toBe('holdfast-a-job');
  });

  it('continues with the others when one fails, and keeps its record', async () => {
    scene.behaviour.app = {
      async prepare({ record }) {
        await record({ held: 'app' });
        throw new Error('The server refused the password sesame-4711');
      },
    };
    scene.behaviour.db = { prepare: async () => ({ dumps: [dump('shop')] }) };
    const { parts } = await scene.prepare('app', 'db');
    expect(parts.map(({ uid }) => uid)).toEqual(['uid of db']);
    expect(scene.stateOf('app')).toMatchObject({ undo: { held: 'app' }, prepared: null, released: null });
    expect(scene.failureOf('app')).toContain('The server refused the password');
    expect(scene.logged.join()).toContain('app is left out');
    expect(`${scene.failureOf('app')} ${scene.logged}`).not.toContain('sesame');
  });

  it('ends when the job is cancelled, without a failure of the source', async () => {
    scene.behaviour.app = {
      async prepare({ record }) {
        await record({ held: 'app' });
        scene.stop.abort(new Error('cancelled'));
        throw new Error('killed');
      },
    };
    await expect(scene.prepare('app', 'db')).rejects.toThrow('killed');
    expect(scene.took()).toEqual(['app begun', 'app prepare', 'app recorded app']);
    await expect(scene.prepare('db')).rejects.toThrow('cancelled');
  });

  it('gives dumps of one name different paths', async () => {
    scene.behaviour.db = { prepare: async () => ({ dumps: [dump('a'), dump('a'), dump('a-2')] }) };
    const streams = streamsOf(await scene.prepare('db'));
    const paths = streams.map(({ path }) => path.split('/').at(-1));
    expect(new Set(paths).size).toBe(3);
    expect(paths[0]).toBe('a');
  });
});

describe('streams of prepared sources', () => {
  beforeEach(() => {
    const held = (prepared: object) => ({
      async prepare({ record }: { record(undo: object): Promise<void> }) {
        await record({ held: 'it' });
        return prepared;
      },
    });
    scene.behaviour.app = held({}) as never;
    scene.behaviour.files = held({ paths: ['/volumes/files'] }) as never;
    scene.behaviour.snapshot = held({ instead: [{ path: '/srv', from: '/snapshot' }] }) as never;
    scene.behaviour.db = held({ dumps: [dump('one'), dump('two')] }) as never;
  });

  it('release sources without paths once the last dump is read, last first', async () => {
    const streams = streamsOf(await scene.prepare('app', 'files', 'snapshot', 'db'));
    scene.took();
    expect(await read(streams, 0)).toBe('content of one');
    expect(scene.took()).toEqual([]);
    expect(await read(streams, 1)).toBe('content of two');
    expect(scene.took()).toEqual(['db release', 'db released', 'app release', 'app released']);
    await scene.release('app', 'files', 'snapshot', 'db');
    expect(scene.took().filter((step) => step.endsWith('release'))).toEqual([
      'snapshot release',
      'files release',
    ]);
  });

  it('do not release a source whose dump failed', async () => {
    scene.behaviour.db = { prepare: async () => ({ dumps: [dump('one', 'half', 1)] }) };
    const prepared = await scene.prepare('app', 'db');
    scene.took();
    await expect(read(streamsOf(prepared), 0)).rejects.toThrow('one failed with exit code 1');
    expect(scene.took()).toEqual(['db failed']);
    expect(scene.failureOf('db')).toContain('exit code 1');
    expect(scene.stateOf('db')).toMatchObject({ dumps: [] });
  });

  it('end with the sentence of the plugin about its dump', async () => {
    const open = () => Promise.reject(new Error('The server with sesame-4711 is gone'));
    scene.behaviour.db = { prepare: async () => ({ dumps: [{ name: 'one', open }] }) };
    const said = { code: 'internal', message: expect.stringMatching(/^The server with .* is gone\.$/) };
    await expect(read(streamsOf(await scene.prepare('db')), 0)).rejects.toMatchObject(said);
    expect(scene.failureOf('db')).not.toContain('sesame');
  });

  it('record no failure when the archive is cancelled', async () => {
    const stop = new AbortController();
    scene.behaviour.db = {
      prepare: async () => ({
        dumps: [
          {
            name: 'one',
            async open() {
              stop.abort();
              throw new Error('killed');
            },
          },
        ],
      }),
    };
    const [stream] = streamsOf(await scene.prepare('db'));
    const bytes = await stream?.open(stop.signal);
    await expect(bytes?.[Symbol.asyncIterator]().next()).rejects.toThrow('killed');
    expect(scene.failureOf('db')).toBeNull();
  });

  it('hide the secrets of their source while they are read', async () => {
    const streams = streamsOf(await scene.prepare('db'));
    expect(scene.redactor.redact('sesame-4711')).toBe('sesame-4711');
    const bytes = await streams[0]?.open(signal);
    await bytes?.[Symbol.asyncIterator]().next();
    expect(scene.redactor.redact('sesame-4711')).toBe('***');
  });
});

describe('dumps with the content of their start', () => {
  const fixed = (name: string, text?: string, code?: number) => ({
    ...dump(name, text, code),
    fixedAtStart: true,
  });
  const stoppedFor = (dumps: Dump[]) => {
    const prepare = async ({ record }: PrepareContext) => {
      await record({ held: 'it' });
      return {};
    };
    scene.behaviour.app = { prepare };
    scene.behaviour.files = {
      prepare: async (context) => ({ ...(await prepare(context)), paths: ['/files'] }),
    };
    scene.behaviour.db = { prepare: async () => ({ dumps }) };
    return scene.prepare('app', 'files', 'db');
  };
  const released = () => scene.took().filter((step) => step.endsWith('release'));

  it('release sources stopped only for them before they are read', async () => {
    const prepared = await stoppedFor([fixed('one'), fixed('two')]);
    expect(released()).toEqual(['app release']);
    const streams = streamsOf(prepared);
    expect([await read(streams, 0), await read(streams, 1)]).toEqual(['content of one', 'content of two']);
  });

  it('release nothing when one is not', async () => {
    await stoppedFor([fixed('one'), dump('two')]);
    expect(released()).toEqual([]);
  });

  it('release nothing when there are too many to start', async () => {
    await stoppedFor(Array.from({ length: 17 }, (_, at) => fixed(`number ${at}`)));
    expect(released()).toEqual([]);
  });

  it('are not started when nothing is stopped for them alone', async () => {
    let starts = 0;
    const one = fixed('one');
    const open = (...given: Parameters<Dump['open']>) => {
      starts += 1;
      return one.open(...given);
    };
    scene.behaviour.db = { prepare: async () => ({ dumps: [{ ...one, open }] }) };
    await scene.prepare('db');
    expect(starts).toBe(0);
  });

  it('fail when they are read', async () => {
    const refused = { ...fixed('one'), open: () => Promise.reject(new Error('The server refuses.')) };
    const prepared = await stoppedFor([refused]);
    expect([released(), scene.failureOf('db')]).toEqual([[], null]);
    await expect(read(streamsOf(prepared), 0)).rejects.toThrow('The server refuses.');
    expect(scene.failureOf('db')).toContain('The server refuses.');
  });

  it('end when nobody reads them', async () => {
    const ended: string[] = [];
    const endless = (name: string): Dump => ({
      name,
      fixedAtStart: true,
      async open(until) {
        until.addEventListener('abort', () => ended.push(name));
        return { output: Readable.from([Buffer.from('first')]), code: new Promise(() => {}) };
      },
    });
    const prepared = await stoppedFor([endless('one'), endless('two')]);
    const stop = new AbortController();
    const bytes = await streamsOf(prepared)[0]?.open(stop.signal);
    await bytes?.[Symbol.asyncIterator]().next();
    stop.abort();
    expect(ended).toEqual(['one']);
    expect(scene.redactor.redact('sesame-4711')).toBe('***');
    prepared.end();
    expect(ended).toEqual(['one', 'two']);
  });
});

describe('what is left after a dump failed', () => {
  it('is everything else', async () => {
    scene.behaviour.one = { prepare: async () => ({ dumps: [dump('one', 'half', 1)] }) };
    scene.behaviour.two = { prepare: async () => ({ dumps: [dump('two')] }) };
    const prepared = await scene.prepare('one', 'two');
    expect(withoutFailed(prepared)).toBeNull();
    await read(streamsOf(prepared), 0).catch(() => {});
    const rest = withoutFailed(prepared);
    expect(rest?.parts.map(({ uid }) => uid)).toEqual(['uid of two']);
    expect(rest && withoutFailed(rest)).toBeNull();
  });
});
