import { say } from '@holdfast/plugin-api';
import type { ImportedRepository } from '@holdfast/plugin-api/importer';
import type { Answers } from './answers.js';
import type { Config } from './options.js';

/** The passphrase of a repository, and its key file if the options name one. */
export function secretsOf(config: Config, path: string, answers: Answers): ImportedRepository['secrets'] {
  const { report } = config;
  const option = config.get('encryption_passphrase');
  const commandOption = config.get('encryption_passcommand');
  const written = config.text('encryption_passphrase');
  const command = config.text('encryption_passcommand');
  report.take(option);
  if (commandOption)
    report.change(
      commandOption,
      say`borgmatic_passcommand: The current output of the command is stored encrypted. Holdfast does not run the command again.`,
    );
  const printed =
    written === null && command !== null && commandOption
      ? answers.ask('command', command, commandOption)
      : undefined;
  const given = answers.get('passphrase', path);
  const passphrase = given ?? written ?? asBorgReads(printed) ?? null;
  return {
    passphrase: passphrase === '' ? null : passphrase,
    keyFile: keyFileOf(config, answers),
    awaited: passphrase === null && command !== null,
  };
}

/** The output of a passcommand as borg reads it: line ends are normalised and trailing ones removed. */
const asBorgReads = (printed: string | null | undefined) =>
  printed?.replace(/\r\n?/g, '\n').replace(/\n+$/, '');

function keyFileOf(config: Config, answers: Answers): string | null {
  const option = config.get('borg_key_file');
  const path = config.text('borg_key_file');
  if (!option || path === null) return null;
  config.report.change(
    option,
    say`borgmatic_key_file: The key is stored encrypted; the file is not read again.`,
  );
  return answers.ask('file', path, option) ?? null;
}
