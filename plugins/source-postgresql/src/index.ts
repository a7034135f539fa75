import type { Finding } from '@holdfast/plugin-api';
import { definePlugin } from '@holdfast/plugin-api';
import type { CommandHost, Dump, Source, SourceSettings } from '@holdfast/plugin-api/source';
import { z } from 'zod';
import { clientVersion, command, databasesOf, globalsEnd, globalsName, serverFacts } from './client.js';
import { fields } from './fields.js';
import { prove } from './prove.js';
import { restore } from './restore.js';

const lockWaitMs = 300_000;

async function look(settings: SourceSettings, host: CommandHost) {
  const client = await clientVersion(settings, host);
  if (client === null)
    throw new Error(`${host.name} has no pg_dump: install the client programs of PostgreSQL.`);
  const databases = await databasesOf(settings, host);
  const facts = await serverFacts(settings, host, databases);
  const problem =
    client < facts.version
      ? `pg_dump on ${host.name} has version ${client}, but the server has ${facts.version}: install its client programs.`
      : null;
  return { databases, facts, problem };
}

/** PostgreSQL: one dump for each database, and one for roles and tablespaces. */
const postgresql: Source = {
  title: 'PostgreSQL',
  fields,
  async find({ host }) {
    // As most packages set it up: the system user may do everything.
    const settings = { run_as: 'postgres' };
    const databases = await databasesOf(settings, host).catch(() => []);
    return databases.map((name) => ({ name, settings: { ...settings, databases: name } }));
  },
  async check(settings, { host }) {
    try {
      const { databases, facts, problem } = await look(settings, host);
      const size = Math.ceil(facts.bytes / 1_000_000);
      const findings: Finding[] = [
        { status: 'ok', text: `${databases.length} databases with ${size} MB: ${databases.join(', ')}.` },
      ];
      if (problem !== null) findings.push({ status: 'failed', text: problem });
      if (!facts.isSuperuser)
        findings.push({
          status: 'warning',
          text: 'The user is no superuser: passwords of roles are left out, and maybe other data.',
        });
      return findings;
    } catch (error) {
      return [{ status: 'failed', text: (error as Error).message }];
    }
  },
  async prepare(settings, { host }) {
    const { databases, facts, problem } = await look(settings, host);
    if (problem !== null) throw new Error(problem);
    const dump =
      (argv: readonly string[], env: Record<string, string>): Dump['open'] =>
      (signal, to) =>
        host.open(command(settings, argv, { env }), signal, to);
    const flags = ['-Fc', '-Z0', '-w', `--lock-wait-timeout=${lockWaitMs}`];
    const secrets = facts.isSuperuser ? [] : ['--no-role-passwords'];
    return {
      dumps: [
        ...databases.map((name) => ({
          name: `${name}.dump`,
          // It starts with the list of what it contains, which is read after the snapshot is taken.
          fixedAtStart: true,
          open: dump(['pg_dump', ...flags], { PGDATABASE: name }),
        })),
        {
          name: globalsName,
          fixedAtStart: true,
          endMark: globalsEnd,
          open: dump(['pg_dumpall', '--globals-only', '-w', ...secrets], {}),
        },
      ],
    };
  },
  // A dump holds nothing once its connection is closed.
  release: async () => {},
  restore: (settings, dump, target, { host }) => restore(host, settings, { dump, ...target }),
  prove: (_settings, dump, context) => prove(dump, context),
};

export default definePlugin({ kind: 'source', configuration: z.object({}), create: () => postgresql });
