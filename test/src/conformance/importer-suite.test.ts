import { readFileSync } from 'node:fs';
import { settingsProblem } from '@holdfast/core/server';
import borgmatic from '@holdfast/importer-borgmatic';
import type { Importer, ImportReading } from '@holdfast/plugin-api/importer';
import { importerSuite } from '@holdfast/testkit';
import { describe, expect, it } from 'vitest';

const content = `repositories: [/backups/home]\nsource_directories: [/home]\nencryption_passphrase: sesame-4711\ninfluxdb_databases: [{name: shop}]\n`;
const sound = borgmatic.create({} as never) as Importer;

/** The sound importer, with a change to what it answers. */
const changed = (change: (reading: ImportReading) => unknown): Importer => ({
  read: async (...given) => change(await sound.read(...given)) as ImportReading,
});

/** Names of the broken promises. */
async function brokenBy(importer: Importer): Promise<string[]> {
  const suite = importerSuite({
    open: async () => ({ importer, close: async () => undefined }),
    files: [{ name: '/etc/borgmatic/config.yaml', content }],
    secrets: ['sesame-4711'],
    losses: ['influxdb_databases'],
    problemOf: settingsProblem,
    longest: 1_000,
  });
  const results = await Promise.allSettled(suite.map(({ run }) => run({ skip: () => undefined })));
  return suite.filter((_, index) => results[index]?.status === 'rejected').map(({ name }) => name);
}

const meaning = [
  'finds repositories, and returns valid settings',
  'returns the same result for the same files, and does not change its input',
  'gives a reason for each changed or omitted option, and names each loss',
  'reads only the files that it is given',
  'shows users no secret, and lists the secrets in the settings',
];
const [settings, pure, losses, outside, secrets] = meaning as [string, string, string, string, string];
const all = expect.arrayContaining([...meaning, 'reads an empty file, or reports it']);
let calls = 0;

describe.concurrent('the suite for importers', () => {
  it('passes a sound importer', async () => {
    expect(await brokenBy(sound)).toEqual([]);
  });

  it.each<[string, Importer, unknown]>([
    ['throws', { read: () => Promise.reject(new Error('on purpose')) }, all],
    ['never answers', { read: () => new Promise(() => undefined) }, all],
    ['answers with nonsense', { read: () => 'nothing' as never }, all],
    [
      'throws for invalid files',
      {
        read: (files, given) =>
          /^[a-z]+:/.test(files[0]?.content ?? '') ? sound.read(files, given) : JSON.parse('{'),
      },
      expect.arrayContaining(['reads an empty file, or reports it', 'reads random bytes, or reports it']),
    ],
    [
      'reads the file itself instead of its input',
      {
        read: (files, given) => {
          const text = (name: string) => {
            try {
              return readFileSync(name, 'utf8');
            } catch {
              return content;
            }
          };
          return sound.read(
            files.map(({ name }) => ({ name, content: text(name) })),
            given,
          );
        },
      },
      [outside],
    ],
    [
      'returns a new result each time',
      changed((reading) => ({ ...reading, secrets: [...reading.secrets, `${calls++}`] })),
      [pure, outside],
    ],
    [
      'changes its input',
      { read: (files, given) => sound.read(Object.assign(files as never[], { length: 1 }), given) },
      [pure],
    ],
    [
      'omits losses',
      changed((reading) => ({
        ...reading,
        files: reading.files.map((file) => ({
          ...file,
          report: file.report.filter(({ result }) => result !== 'lost'),
        })),
      })),
      [losses],
    ],
    ['forgets a file', changed((reading) => ({ ...reading, files: [] })), all],
    [
      'returns settings of an unknown section',
      changed((reading) => ({
        ...reading,
        files: reading.files.map((file) => ({
          ...file,
          settings: file.settings.map((each) => ({ ...each, section: 'other' })),
        })),
      })),
      [settings],
    ],
    [
      'shows a secret in the list of needed files',
      changed((reading) => ({
        ...reading,
        needs: [{ kind: 'file', name: 'sesame-4711', file: 'x', line: 1, optional: false }],
      })),
      [secrets],
    ],
    ['hides which texts are secret', changed((reading) => ({ ...reading, secrets: [] })), [secrets]],
    [
      'writes secrets without request',
      {
        ...sound,
        write: (leaving) =>
          sound.write?.(
            leaving.map((each) => ({ ...each, passphrase: 'open sesame' })),
            { secrets: true },
          ) as never,
      },
      ['writes files that it can read back, with secrets only if requested'],
    ],
  ])('names the failed cases of an importer that %s', async (_, importer, names) => {
    expect(await brokenBy(importer)).toEqual(names);
  });
});
