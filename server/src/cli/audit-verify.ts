import { type AuditVerdict, verifyTrail } from '@holdfast/core/server';
import { secretsOf } from './audit-note.js';
import { configurationOfProcess } from './environment.js';
import { CommandError } from './exit.js';
import { withStorage } from './with-storage.js';

interface Options {
  anchor?: string;
  from?: string;
  json?: boolean;
}

/** Exit code 0 if no entry was changed, otherwise 1; prints the first changed entry. */
export function auditVerify({ anchor, from, json }: Options): Promise<number> {
  const configuration = configurationOfProcess();
  const options = { anchor: readAnchor(anchor), from: readPlace(from) };
  return withStorage(configuration, async (storage) => {
    const secrets = await secretsOf(storage, configuration);
    const verdict = await verifyTrail({ storage, secrets, ...options });
    report(verdict, json);
    return verdict.finding === null ? 0 : 1;
  });
}

function readAnchor(text: string | undefined) {
  if (text === undefined) return undefined;
  const match = /^([1-9]\d{0,14}):([0-9a-f]{64})$/.exec(text);
  if (match) return { seq: Number(match[1]), hash: String(match[2]) };
  throw new CommandError(
    '--anchor must be the last entry as printed by an earlier run, for example 42:0123…',
  );
}

function readPlace(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new CommandError('--from must be the number of an entry.');
}

function report({ entries, last, finding }: AuditVerdict, json?: boolean): void {
  const anchor = `${last.seq}:${last.hash}`;
  if (json) {
    console.log(JSON.stringify({ entries, anchor, finding }));
    return;
  }
  if (finding === null) {
    console.log(`All ${entries} entries are unchanged. Keep the last one for the next run: ${anchor}`);
    return;
  }
  console.log(
    `Entry ${finding.seq} is invalid: ${finding.what}. The ${entries} entries before it are valid.`,
  );
}
