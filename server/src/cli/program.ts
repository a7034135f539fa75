import { Command, CommanderError, Option } from 'commander';
import { serverVersion } from '../server-version.js';
import { exitWith } from './exit.js';

/** Runs the command and ends the process: 0, 1 when it failed, 2 when it was called wrongly. */
export async function runProgram(parameters: string[]): Promise<void> {
  // The reader, such as head, has seen enough.
  process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => process.exit(code === 'EPIPE' ? 0 : 1));
  try {
    await makeProgram().parseAsync(parameters, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? 0 : 2);
    exitWith(error);
  }
}

/** Resolves to the exit code. */
type Work<Parameters extends unknown[]> = (...parameters: Parameters) => Promise<number>;

/** What a command opened may hold the process: its end is the end. */
const ending =
  <P extends unknown[]>(work: Work<P>) =>
  async (...parameters: P): Promise<void> =>
    process.exit(await work(...parameters));

const json = () => new Option('--json', 'print one JSON document');

function makeProgram(): Command {
  const program = new Command('holdfast')
    .description('Manages repositories of the backup tool Borg. Reads the same environment as the service.')
    .version(serverVersion)
    .exitOverride()
    .showHelpAfterError('(--help shows how it is used)');
  program
    .command('serve')
    .description('start the service; the same as no command')
    .addHelpText('after', example('PORT=8081 DATA_DIR=/srv/holdfast holdfast serve'))
    .action(async () => (await import('./serve.js')).serve());
  addDoctor(program);
  addUser(program);
  addAudit(program);
  addSecrets(program);
  addPlugins(program);
  addStorage(program);
  program
    .command('openapi')
    .description('print the OpenAPI document of the interface; nothing is started')
    .option('--output <file>', 'write it into this file')
    .addHelpText('after', example('holdfast openapi --output openapi.json'))
    .action(ending(async (options) => (await import('./openapi.js')).openapi(options)));
  program
    .command('rebuild-figures')
    .description(
      'count all jobs anew for the metrics, for a database that was changed by hand; stop the service',
    )
    .addHelpText('after', example('holdfast rebuild-figures'))
    .action(ending(async () => (await import('./rebuild-figures.js')).rebuildFiguresCommand()));
  return program;
}

const example = (line: string) => `\nExample:\n  $ ${line}`;

function addDoctor(program: Command): void {
  program
    .command('doctor')
    .description('look whether everything is there that the service needs; changes nothing')
    .addOption(json())
    .addHelpText('after', example('DATA_DIR=/srv/holdfast holdfast doctor'))
    .action(ending(async (options) => (await import('./doctor/doctor.js')).doctor(options)));
}

function addUser(program: Command): void {
  program
    .command('user')
    .description('users')
    .command('reset-password <username>')
    .description(
      'set a new password, asked for or read from standard input; ends all sessions and tokens of the user',
    )
    .option('--generate', 'make a password and show it once')
    .option('--activate', 'activate the account, and make it administrator when there is no active one')
    .addHelpText('after', example('holdfast user reset-password admin'))
    .action(
      ending(async (username, options) =>
        (await import('./user-reset-password.js')).userResetPassword(username, options),
      ),
    );
}

function addAudit(program: Command): void {
  program
    .command('audit')
    .description('the audit trail')
    .command('verify')
    .description('tell whether somebody changed the audit trail, and where first')
    .option('--anchor <entry:hash>', 'the last entry of an earlier run: it must still be there')
    .option('--from <entry>', 'pass over the entries before this one')
    .addOption(json())
    .addHelpText('after', example('DATA_DIR=/srv/holdfast holdfast audit verify'))
    .action(ending(async (options) => (await import('./audit-verify.js')).auditVerify(options)));
}

function addSecrets(program: Command): void {
  const secrets = program.command('secrets').description('the secrets that the service keeps');
  secrets
    .command('forget')
    .description(
      'name the secrets that the secret key does not open, and forget them; stop the service first',
    )
    .option('--yes', 'forget them, and take the present key as that of the database')
    .addOption(json())
    .addHelpText('after', example('DATA_DIR=/srv/holdfast holdfast secrets forget'))
    .action(ending(async (options) => (await import('./secrets-forget.js')).secretsForget(options)));
  secrets
    .command('rotate')
    .description('seal all secrets under a new key; stop the service first')
    .option('--ask', 'ask for the new key, or read it from standard input, instead of making one')
    .addOption(json())
    .addHelpText('after', example('DATA_DIR=/srv/holdfast holdfast secrets rotate'))
    .action(ending(async (options) => (await import('./secrets-rotate.js')).secretsRotate(options)));
}

function addPlugins(program: Command): void {
  const plugins = program.command('plugins').description('plugins');
  plugins
    .command('list')
    .description('the plugins that are installed, and which of them are used')
    .addOption(json())
    .addHelpText('after', example('PLUGINS=/opt/notify-example holdfast plugins list'))
    .action(ending(async (options) => (await import('./plugins-list.js')).pluginsList(options)));
  plugins
    .command('create <folder>')
    .description('write a notification plugin with its test into a new folder')
    .addHelpText('after', example('holdfast plugins create notify-chat'))
    .action(ending(async (folder) => (await import('./plugins-create.js')).pluginsCreate(folder)));
  plugins
    .command('check <folder>')
    .description('try the promises of its port on the plugin in a folder, or on an installed package')
    .option('--configuration <file>', 'JSON file with the configuration of the plugin')
    .option('--harness <file>', 'module whose default export says what the configuration can not')
    .option(
      '--url <url>',
      'service URL of a notification transport; {host} becomes the address of the receiver',
    )
    .option('--only <text>', 'only the cases whose name holds this text')
    .option('--timeout <seconds>', 'how long one case may last', '120')
    .addOption(json())
    .addHelpText('after', example("holdfast plugins check ./notify-example --url 'example://{host}/topic'"))
    .action(
      ending(async (folder, options) =>
        (await import('./check/plugins-check.js')).pluginsCheck(folder, options),
      ),
    );
}

function addStorage(program: Command): void {
  program
    .command('storage')
    .description('the database of the service')
    .command('move')
    .description(
      'copy everything into an empty database, for example from SQLite to PostgreSQL; stop the service first',
    )
    .option(
      '--from <url>',
      'database to read, as in DATABASE_URL, or id of an added storage; default: that of the service',
    )
    .option('--to <url>', 'empty database to write, or id of an added storage; default: TARGET_DATABASE_URL')
    .addOption(json())
    .addHelpText(
      'after',
      example(
        'holdfast storage move --from sqlite:/srv/holdfast/holdfast.db --to postgres://holdfast@127.0.0.1/holdfast',
      ),
    )
    .action(ending(async (options) => (await import('./storage-move.js')).storageMove(options)));
}
