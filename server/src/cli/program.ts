import { addCommands, example, json, runProgram as run } from '@holdfast/cli';
import { Command, Option } from 'commander';
import { serverVersion } from '../server-version.js';
import { addExchange } from './exchange/program.js';
import { exitWith } from './exit.js';

/** Runs the command and exits: 0 on success, 1 if it failed, 2 for wrong usage. */
export const runProgram = (parameters: string[]): Promise<void> => run(makeProgram(), parameters, exitWith);

/** Resolves to the exit code. */
type Work<Parameters extends unknown[]> = (...parameters: Parameters) => Promise<number>;

/** Exits explicitly: handles that a command opened could keep the process alive. */
const ending =
  <P extends unknown[]>(work: Work<P>) =>
  async (...parameters: P): Promise<void> =>
    process.exit(await work(...parameters));

export function makeProgram(): Command {
  const program = new Command('holdfast')
    .description('Manages Borg backups. All commands use the same environment variables.')
    .version(serverVersion)
    .enablePositionalOptions()
    .exitOverride()
    .showHelpAfterError('(see --help)');
  program
    .command('serve')
    .description('start Holdfast (default)')
    .addHelpText('after', example('PORT=8081 DATA_DIR=/srv/holdfast holdfast serve'))
    .action(async () => (await import('./serve.js')).serve());
  addDoctor(program);
  addUser(program);
  addAudit(program);
  addSecrets(program);
  addPlugins(program);
  addStorage(program);
  addRecover(program);
  addRecovery(program);
  addExchange(program, ending);
  addCommands(program);
  program
    .command('openapi')
    .description('print the OpenAPI document without starting Holdfast')
    .option('--output <file>', 'write it to this file')
    .addHelpText('after', example('holdfast openapi --output openapi.json'))
    .action(ending(async (options) => (await import('./openapi.js')).openapi(options)));
  program
    .command('rebuild-figures')
    .description(
      'recount all jobs for the metrics, after manual changes to the database; stop Holdfast first',
    )
    .addHelpText('after', example('holdfast rebuild-figures'))
    .action(ending(async () => (await import('./rebuild-figures.js')).rebuildFiguresCommand()));
  return program;
}

function addDoctor(program: Command): void {
  program
    .command('doctor')
    .description('check the environment of Holdfast; changes nothing')
    .addOption(json())
    .addHelpText('after', example('DATA_DIR=/srv/holdfast holdfast doctor'))
    .action(ending(async (options) => (await import('./doctor/doctor.js')).doctor(options)));
}

function addUser(program: Command): void {
  const user = program.command('user').alias('users').description('manage users');
  user
    .command('reset-password <username>')
    .description(
      'set a new password, from a prompt or standard input; revokes all sessions and tokens of the user',
    )
    .option('--generate', 'generate a password and print it once')
    .option('--activate', 'activate the account; also make it an administrator if there is no active one')
    .addHelpText('after', example('holdfast user reset-password admin'))
    .action(
      ending(async (username, options) =>
        (await import('./user-commands.js')).userResetPassword(username, options),
      ),
    );
  user
    .command('reset-factor <username>')
    .description('remove the second factor of a user who lost it; ends all sessions of the user')
    .addHelpText('after', example('holdfast user reset-factor admin'))
    .action(ending(async (username) => (await import('./user-commands.js')).userResetFactor(username)));
}

function addAudit(program: Command): void {
  program
    .command('audit')
    .description('work with the audit trail')
    .command('verify')
    .description('check the audit trail for tampering and print the first changed entry')
    .option('--anchor <entry:hash>', 'last entry of an earlier run, which must still exist')
    .option('--from <entry>', 'skip the entries before this one')
    .addOption(json())
    .addHelpText('after', example('DATA_DIR=/srv/holdfast holdfast audit verify'))
    .action(ending(async (options) => (await import('./audit-verify.js')).auditVerify(options)));
}

function addSecrets(program: Command): void {
  const secrets = program.command('secrets').description('manage stored secrets');
  secrets
    .command('forget')
    .description('list the secrets that the secret key cannot decrypt, and delete them; stop Holdfast first')
    .option('--yes', 'delete them and bind the database to the current key')
    .addOption(json())
    .addHelpText('after', example('DATA_DIR=/srv/holdfast holdfast secrets forget'))
    .action(ending(async (options) => (await import('./secrets-forget.js')).secretsForget(options)));
  secrets
    .command('rotate')
    .description('encrypt all secrets with a new key; stop Holdfast first')
    .option('--ask', 'prompt for the new key, or read it from standard input, instead of generating it')
    .addOption(json())
    .addHelpText('after', example('DATA_DIR=/srv/holdfast holdfast secrets rotate'))
    .action(ending(async (options) => (await import('./secrets-rotate.js')).secretsRotate(options)));
}

function addPlugins(program: Command): void {
  const plugins = program.command('plugins').description('manage plugins');
  plugins
    .command('list')
    .description('list the installed plugins and which of them are used')
    .addOption(json())
    .addHelpText('after', example('PLUGINS=/opt/notify-example holdfast plugins list'))
    .action(ending(async (options) => (await import('./plugins-list.js')).pluginsList(options)));
  plugins
    .command('create <folder>')
    .description('create a notification plugin with a test in a new folder')
    .addHelpText('after', example('holdfast plugins create notify-chat'))
    .action(ending(async (folder) => (await import('./plugins-create.js')).pluginsCreate(folder)));
  plugins
    .command('check <folder>')
    .description('run the conformance tests on a plugin in a folder or an installed package')
    .option('--configuration <file>', 'JSON file with the configuration of the plugin')
    .option('--harness <file>', 'module whose default export has the test options that JSON cannot express')
    .option(
      '--url <url>',
      'service URL of a notification transport; {host} is replaced with the address of the receiver',
    )
    .option('--only <text>', 'run only cases whose name contains this text')
    .option('--timeout <seconds>', 'timeout of one case', '120')
    .addOption(json())
    .addHelpText('after', example("holdfast plugins check ./notify-example --url 'example://{host}/topic'"))
    .action(
      ending(async (folder, options) =>
        (await import('./check/plugins-check.js')).pluginsCheck(folder, options),
      ),
    );
}

function addRecovery(program: Command): void {
  program
    .command('recovery-sheet')
    .description(
      'write the recovery sheet: all you need to open your backups without this server; works while Holdfast runs',
    )
    .addOption(new Option('--format <format>', 'form').choices(['pdf', 'text', 'json']).default('pdf'))
    .option('--with-secrets', 'show passphrases and keys')
    .option('--sealed', 'encrypt it with a passphrase, from a prompt or standard input (age)')
    .option('--output <file>', 'write it to this file, which must not exist; default: standard output')
    .addHelpText('after', example('holdfast recovery-sheet --with-secrets --sealed --output sheet.pdf.age'))
    .action(ending(async (options) => (await import('./recovery-sheet.js')).recoverySheet(options)));
}

function addRecover(program: Command): void {
  program
    .command('recover')
    .description(
      'recover Holdfast from the backup of itself, into an empty data folder and an empty database; asks for ' +
        'the passphrase of the repository, or reads it from standard input',
    )
    .requiredOption('--repository <location>', 'path or ssh://user@host:port/path of the repository')
    .option('--data-dir <folder>', 'empty or new folder; default: DATA_DIR')
    .option('--archive <name>', 'default: the newest one with a copy of Holdfast')
    .option('--ssh-key <file>', 'private key for the host of the repository; default: that of this user')
    .option('--host-key <fingerprint>', 'SHA256:… of the host key of that host')
    .option(
      '--jump <hop...>',
      'user@host:port,SHA256:… of each jump host, the one nearest to that host first',
    )
    .option('--remote-path <program>', 'Borg on that host; default: borg')
    .addOption(json())
    .addHelpText(
      'after',
      example('holdfast recover --repository /mnt/backup/holdfast-self-backup --data-dir /srv/holdfast'),
    )
    .action(ending(async (options) => (await import('./recover/recover.js')).recover(options)));
}

function addStorage(program: Command): void {
  const storage = program.command('storage').description('manage the database of Holdfast');
  storage
    .command('copy <folder>')
    .description(
      'copy the database, the secret key and the data of plugins to a new folder, while Holdfast runs',
    )
    .addOption(json())
    .addHelpText('after', example('DATA_DIR=/srv/holdfast holdfast storage copy /mnt/copy'))
    .action(
      ending(async (folder, options) => (await import('./storage-copy.js')).storageCopy(folder, options)),
    );
  storage
    .command('move')
    .description(
      'copy all data to an empty database, for example from SQLite to PostgreSQL; stop Holdfast first',
    )
    .option(
      '--from <url>',
      'source: a database as in DATABASE_URL, or the id of an added storage; default: the one in use',
    )
    .option(
      '--to <url>',
      'target: an empty database, or the id of an added storage; default: TARGET_DATABASE_URL',
    )
    .addOption(json())
    .addHelpText(
      'after',
      example(
        'holdfast storage move --from sqlite:/srv/holdfast/holdfast.db --to postgres://holdfast@127.0.0.1/holdfast',
      ),
    )
    .action(ending(async (options) => (await import('./storage-move.js')).storageMove(options)));
}
