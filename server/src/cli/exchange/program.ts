import { example, json, url } from '@holdfast/cli';
import { type Command, Option } from 'commander';

/** Ends the process with the exit code that the work resolves to. */
type Ending = <P extends unknown[]>(
  work: (...parameters: P) => Promise<number>,
) => (...parameters: P) => Promise<void>;

const plan = () => new Option('--plan', 'only show what would change');

const replaceSources = () =>
  new Option('--replace-sources', 'allow replacing the sources that are backed up now');
const importer = () =>
  new Option('--importer <id>', 'use this importer, of an added plugin').default('borgmatic');
const names = (text: string, before: readonly string[]) => [...before, ...text.split(',').filter(Boolean)];

/** Settings and files of borgmatic, in and out, through the running service. */
export function addExchange(program: Command, ending: Ending): void {
  const outgoing = program
    .command('export')
    .enablePositionalOptions()
    .description('write all settings of the running Holdfast to one file')
    .option('--output <file>', 'write it to this file, which must not exist')
    .option('--with-secrets', 'include secrets, encrypted with a passphrase from a prompt or standard input')
    .addOption(url())
    .addHelpText('after', example('holdfast export --output settings.json'))
    .action(ending(async (options) => (await import('./settings.js')).exportSettings(options)));
  outgoing
    .command('borgmatic')
    .description('write borgmatic configuration files, one for each repository')
    .option('--output-dir <folder>', 'write them into this folder, not to standard output')
    .option('--with-secrets', 'write passphrases and service URLs into the files')
    .addOption(importer())
    .addOption(url())
    .addHelpText('after', example('holdfast export borgmatic --output-dir /etc/borgmatic.d'))
    .action(
      ending(async (_own, command: Command) =>
        (await import('./borgmatic.js')).exportBorgmatic(command.optsWithGlobals()),
      ),
    );
  const incoming = program
    .command('import')
    .enablePositionalOptions()
    .description('apply a settings file to the running Holdfast')
    .argument('<file>', 'a file from holdfast export')
    .addOption(plan())
    .addOption(replaceSources())
    .addOption(url())
    .addOption(json())
    .addHelpText('after', example('holdfast import settings.json --plan'))
    .action(ending(async (file, options) => (await import('./settings.js')).importSettings(file, options)));
  incoming
    .command('borgmatic')
    .description('import configuration files from borgmatic 1.7 to 2.1')
    .argument('<files...>')
    .option('--take-over', 'let Holdfast take over the backups; turn off borgmatic first')
    .option('--cron <expression>', 'when to back up; default: only manually')
    .option('--timezone <name>', 'time zone of --cron; default: UTC')
    .option('--create-missing', 'create repositories that do not exist')
    .option('--without <names>', 'accept losses by name, for example databases,alerts', names, [])
    .addOption(replaceSources())
    .addOption(importer())
    .addOption(plan())
    .addOption(url())
    .addOption(json())
    .addHelpText('after', example('holdfast import borgmatic /etc/borgmatic/config.yaml --plan'))
    .action(
      ending(async (files, _own, command: Command) =>
        (await import('./borgmatic.js')).importBorgmatic(files, command.optsWithGlobals()),
      ),
    );
}
