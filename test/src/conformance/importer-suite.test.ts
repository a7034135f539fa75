import { readFileSync } from 'node:fs';
import { settingsProblem } from '@holdfast/core/server';
import borgmatic from '@holdfast/importer-borgmatic';
import type { Importer, ImportReading } from '@holdfast/plugin-api/importer';
import { importerSuite } from '@holdfast/testkit';
import { describe, expect, it } from 'vitest';

const content = `repositories: [/backups/home]\nsource_directories: [/home]\nencryption_passphrase: sesame-4711\nzfs: {}\n`;
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
    losses: ['zfs'],
    problemOf: settingsProblem,
    longest: 1_000,
  });
  const results = await Promise.allSettled(suite.map(({ run }) => run({ skip: () => undefined })));
  return suite.filter((_, index) => results[index]?.status === 'rejected').map(({ name }) => name);
}

const meaning = [
  'finds repositories, and makes settings of the files that are valid',
  'gives the same answer for the same files, and changes nothing that it is given',
  'says why options are changed or left out, and names each loss',
  'reads nothing but the files that it is given',
  'tells no secret in what people see, and lists those in the settings',
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
      'throws for files of no format',
      {
        read: (files, given) =>
          /^[a-z]+:/.test(files[0]?.content ?? '') ? sound.read(files, given) : JSON.parse('{'),
      },
      expect.arrayContaining([
        'reads an empty file, or reports it',
        'reads bytes of no format, or reports it',
      ]),
    ],
    [
      'reads the file itself, not what it is given',
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
      'answers anew each time',
      changed((reading) => ({ ...reading, secrets: [...reading.secrets, `${calls++}`] })),
      [pure, outside],
    ],
    [
      'changes what it is given',
      { read: (files, given) => sound.read(Object.assign(files as never[], { length: 1 }), given) },
      [pure],
    ],
    [
      'leaves losses out',
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
      'makes settings that no section takes',
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
      'tells a secret in a need',
      changed((reading) => ({
        ...reading,
        needs: [{ kind: 'file', name: 'sesame-4711', file: 'x', line: 1, optional: false }],
      })),
      [secrets],
    ],
    ['hides which texts are secret', changed((reading) => ({ ...reading, secrets: [] })), [secrets]],
    [
      'writes secrets that nobody asked for',
      {
        ...sound,
        write: (leaving) =>
          sound.write?.(
            leaving.map((each) => ({ ...each, passphrase: 'open sesame' })),
            { secrets: true },
          ) as never,
      },
      ['writes files that it reads again, with secrets only if asked'],
    ],
  ])('names the failed cases of an importer that %s', async (_, importer, names) => {
    expect(await brokenBy(importer)).toEqual(names);
  });
});
