import { type Command, Option } from 'commander';
import { ending } from './run.js';

export const example = (line: string) => `\nExample:\n  $ ${line}`;
export const json = () => new Option('--json', 'print one JSON document');
export const url = () =>
  new Option(
    '--url <url>',
    'address of Holdfast; default: HOLDFAST_URL, or HOST and PORT of the environment',
  );

const noWait = () => new Option('--no-wait', 'only start it');
const of = (what: string) => new Option('--repository <name>', what);

/** Adds the commands for daily use. What they need is loaded when one runs. */
export function addCommands(program: Command): void {
  const add = (usage: string, description: string, line: string) =>
    program
      .command(usage)
      .description(description)
      .addOption(url())
      .addOption(json())
      .addHelpText('after', example(`${program.name()} ${line}`));
  add(
    'status',
    'show whether everything is protected; exits with 0 if so, 1 if not, 2 if unknown',
    'status',
  ).action(ending(async (options) => (await import('./commands/status.js')).status(options), 2));
  addJobs(add);
  addArchives(add);
  add(
    'restore <archive> [paths...]',
    'restore an archive, or paths of it: shows the plan and asks',
    'restore nas-1 home/ann/letters --to /srv/restored',
  )
    .requiredOption('--to <folder>', 'folder on the server; / restores in place')
    .addOption(of('repository of the archive, if several have one of this name'))
    .addOption(
      new Option('--layout <layout>', 'selection: without the folders above the paths').choices([
        'whole_path',
        'selection',
      ]),
    )
    .option('--overwrite', 'replace existing files')
    .option('--skip-existing', 'keep existing files and restore the rest')
    .option('--accept-low-space', 'start although less space is free than the files need at most')
    .option('--plan', 'only show the plan')
    .option('--yes', 'do not ask')
    .addOption(noWait())
    .action(
      ending(async (archive, paths, options) =>
        (await import('./commands/restore.js')).restore(archive, paths, options),
      ),
    );
  addCompletion(program);
}

type Add = (usage: string, description: string, line: string) => Command;

function addJobs(add: Add): void {
  add('backup <name>', 'back up a repository, or run a schedule, and follow it', 'backup home')
    .option('--repository', 'the name is that of a repository')
    .option('--schedule', 'the name is that of a schedule')
    .addOption(noWait())
    .action(ending(async (name, options) => (await import('./commands/jobs.js')).backup(name, options)));
  add('watch', 'follow the jobs that run and wait now, until they have ended', 'watch').action(
    ending(async (options) => (await import('./commands/jobs.js')).watch(options)),
  );
  add('check <name>', 'check a repository for damage, and follow it', 'check home --verify-data')
    .option('--verify-data', 'also read and verify all data')
    .option('--max-duration <seconds>', 'stop after this time and continue with the next check')
    .addOption(noWait())
    .action(ending(async (name, options) => (await import('./commands/jobs.js')).check(name, options)));
  add('logs [job]', 'print the log of a job; default: the newest job', 'logs 12 --follow')
    .option('--follow', 'continue until the job has ended')
    .action(ending(async (job, options) => (await import('./commands/jobs.js')).logs(job, options)));
}

function addArchives(add: Add): void {
  add(
    'list [name] [archive] [path]',
    'list repositories, the archives of one, or a folder of an archive',
    'list home latest home/ann',
  )
    .option('--last <number>', 'only the newest archives')
    .action(
      ending(async (name, archive, path, options) =>
        (await import('./commands/archives.js')).list([name, archive, path], options),
      ),
    );
  add(
    'find <pattern>',
    'find files by name in all archives; * and ? match any text',
    "find '*.odt' --deleted",
  )
    .addOption(of('only in this repository'))
    .option('--deleted', 'only what the newest archives no longer have')
    .addOption(
      new Option('--type <type>', 'only this type').choices(['file', 'directory', 'symlink', 'other']),
    )
    .option('--case-sensitive', 'distinguish uppercase and lowercase')
    .option('--since <date>', 'modified then or later')
    .option('--until <date>', 'modified earlier')
    .option('--limit <number>', 'paths for each repository')
    .action(ending(async (text, options) => (await import('./commands/archives.js')).find(text, options)));
  add(
    'mount-hint <name> [archive]',
    'print commands that open the archives as folders',
    'mount-hint home',
  ).action(
    ending(async (name, archive, options) =>
      (await import('./commands/archives.js')).mountHint(name, archive, options),
    ),
  );
  add(
    'pin <archive>',
    'keep an archive whatever the retention rules say',
    "pin nas-1 --reason 'before the move'",
  )
    .requiredOption('--reason <text>', 'why')
    .option('--until <date>', 'default: until it is unpinned')
    .addOption(of('repository of the archive'))
    .action(ending(async (name, options) => (await import('./commands/archives.js')).pin(name, options)));
  add('unpin <archive>', 'leave an archive to the retention rules again', 'unpin nas-1')
    .addOption(of('repository of the archive'))
    .action(ending(async (name, options) => (await import('./commands/archives.js')).unpin(name, options)));
}

function addCompletion(program: Command): void {
  const completion = program.command('completion').description('print the completion for a shell');
  for (const shell of ['bash', 'zsh', 'fish'] as const)
    completion
      .command(shell)
      .description(`print the completion for ${shell}`)
      .addHelpText('after', example(`${program.name()} completion ${shell}`))
      .action(
        ending(async () => {
          console.log((await import('./completion.js')).scriptFor(shell, program.name()));
          return 0;
        }),
      );
  completion
    .command('words [words...]', { hidden: true })
    .description('print what may follow, one per line')
    .addHelpText('after', example(`${program.name()} completion words -- backup ""`))
    .action(
      ending(async (words) => {
        for (const word of await (await import('./completion.js')).wordsAfter(program, words))
          console.log(word);
        return 0;
      }),
    );
}
