import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import {
  type Command,
  type CommandHost,
  outputOf,
  type PrepareContext,
  type Prepared,
  type Source,
  type SourceSettings,
} from '@holdfast/plugin-api/source';

export const endMark = '-- end of the data';

/** Runs a script that gets the folder as `$1`, if the password is right. */
export const within = ({ folder = '', password = '' }: SourceSettings, script: string): Command => ({
  argv: [
    'sh',
    '-c',
    `[ "$PASSWORD" = "$(cat -- "$1/password")" ] || { echo "wrong password" >&2; exit 1; }; ${script}`,
    'sh',
    folder,
  ],
  env: { PASSWORD: password },
});

export const run = (host: CommandHost, settings: SourceSettings, script: string) =>
  outputOf(host, within(settings, script), `The data can't be read`);

const field = { required: true, example: 'x', help: 'x' };

/** A sound source in few words: a folder with data, where a file `held` stands for what is stopped. */
export const soundSource = (folder: string) =>
  ({
    title: 'Probe',
    fields: [
      { ...field, name: 'folder', label: 'Folder', kind: 'text' },
      { ...field, name: 'password', label: 'Password', kind: 'secret' },
    ],
    async find() {
      return [{ name: 'data', settings: { folder } }];
    },
    async check(settings: SourceSettings, { host }) {
      try {
        await run(host, settings, 'exit 0');
        return [{ status: 'ok', text: 'It can be read.' }];
      } catch (error) {
        return [{ status: 'failed', text: (error as Error).message }];
      }
    },
    async prepare(settings: SourceSettings, { host, record }: PrepareContext): Promise<Prepared> {
      await run(host, settings, 'exit 0');
      await record({ folder: settings.folder ?? '' });
      await run(host, settings, 'touch -- "$1/held"');
      return {
        dumps: [
          {
            name: 'data',
            endMark,
            open: (signal) => host.open(within(settings, 'cat -- "$1/data"'), signal),
          },
        ],
      };
    },
    async release(_settings, undo, { host }) {
      const argv = ['rm', '-f', '--', join(`${undo.folder}`, 'held')];
      await outputOf(host, { argv }, `It can't be released`);
    },
    async restore({ folder = '' }, dump, { into, replace }, { host }) {
      const file = join(folder, into);
      const script = '[ "$2" = yes ] || [ ! -e "$1" ] || { echo "It exists" >&2; exit 1; }; cat >"$1"';
      const argv = ['sh', '-c', script, 'sh', file, replace ? 'yes' : 'no'];
      await outputOf(host, { argv, input: dump.open() }, `It can't be restored`);
      return { text: `${into} was restored.` };
    },
    async prove(_settings, dump) {
      const passed = String(await buffer(dump.open())).includes(endMark);
      return { passed, text: passed ? 'It is complete.' : 'Its end is missing.' };
    },
  }) satisfies Source;
