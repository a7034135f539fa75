import { Readable } from 'node:stream';
import { isStoreError } from '@holdfast/plugin-api';
import { findRepository, repositories } from '../../../backup/repositories/index.js';
import { sshConnections, sshKeys } from '../../../backup/ssh/index.js';
import {
  type Caller,
  inTransaction,
  isoTime,
  sentenceOf,
  writeSetting,
} from '../../../foundation/kernel/index.js';
import {
  day,
  type KnownSheet,
  marksOf,
  readKnownSheet,
  sheetProblem,
  sheetSetting,
} from '../../../insight/monitoring/index.js';
import type { SheetNeeds } from '../needs.js';
import { borgCommands } from './commands.rules.js';
import { isMadeFor, readFacts } from './read-facts.js';
import { sheetJson } from './sheet.rules.js';
import { sheetDocument, sheetText } from './sheet-document.rules.js';

export type SheetFormat = 'pdf' | 'text' | 'json';

export interface SheetWish {
  format: SheetFormat;
  secrets: boolean;
  /** Encrypts the file for this passphrase. */
  sealPassphrase?: string | undefined;
}

type Maker = Pick<Caller, 'username' | 'readOnly'>;

/**
 * Makes a sheet as a file, masked for read-only tokens. The contents of a sheet with secrets are remembered,
 * to detect later changes. `maker` is null for the command line.
 */
export async function makeSheet(
  needs: SheetNeeds,
  maker: Maker | null,
  wish: SheetWish,
  { isKept } = { isKept: true },
) {
  const withSecrets = wish.secrets && !maker?.readOnly;
  const { facts, marks } = await readFacts(needs, withSecrets);
  const { format, sealPassphrase } = wish;
  const plain = await contentOf(needs, facts, format);
  const held = sealPassphrase === undefined ? null : needs.redactor.protect(sealPassphrase);
  try {
    const content = sealPassphrase === undefined ? plain : await needs.sheetPress.seal(plain, sealPassphrase);
    if (withSecrets && isKept) {
      const complete = isMadeFor(facts);
      const known: KnownSheet = {
        at: facts.madeAt,
        by: maker?.username ?? null,
        sshKey: facts.sshKey?.fingerprint ?? null,
        repositories: Object.fromEntries(Object.entries(marks).filter(([uid]) => complete.has(uid))),
      };
      await remember(needs, known);
    }
    const { ending, type } = kinds[format];
    const name = `holdfast-recovery-${day(facts.madeAt)}.${ending}`;
    return {
      fileName: sealPassphrase === undefined ? name : `${name}.age`,
      contentType: sealPassphrase === undefined ? type : 'application/octet-stream',
      size: content.length,
      stream: Readable.from([Buffer.from(content)]),
      content,
      lacking: facts.repositories.filter(({ problem }) => problem !== null).map(({ name }) => name),
    };
  } finally {
    held?.release();
  }
}

/** A service that cannot write still returns the sheet, which then counts as out of date. */
const remember = ({ storage, log }: SheetNeeds, known: KnownSheet) =>
  inTransaction(storage, (session) => writeSetting(session, sheetSetting, known)).catch((error: unknown) => {
    if (!isStoreError(error)) throw error;
    log.warn('the recovery sheet was made, but could not be recorded', { error });
  });

const kinds: Record<SheetFormat, { ending: string; type: string }> = {
  pdf: { ending: 'pdf', type: 'application/pdf' },
  text: { ending: 'txt', type: 'text/plain; charset=utf-8' },
  json: { ending: 'json', type: 'application/json; charset=utf-8' },
};

async function contentOf(
  { sheetPress }: SheetNeeds,
  facts: Awaited<ReturnType<typeof readFacts>>['facts'],
  format: SheetFormat,
): Promise<Uint8Array> {
  if (format === 'pdf') return sheetPress.pdf(sheetDocument(facts, 'paper'));
  if (format === 'text') return Buffer.from(sheetText(sheetDocument(facts, 'screen')));
  const data = sheetJson(facts, (repository) => borgCommands(repository, facts));
  return Buffer.from(`${JSON.stringify(data, null, 2)}\n`);
}

/** Records a sheet for one repository, made by the wizard of the console, in addition to the last one. */
export async function noteSavedSheet({ storage, clock }: SheetNeeds, maker: Maker, repository_id: number) {
  await inTransaction(storage, async (session) => {
    const repository = await findRepository(session, { repository_id });
    const marks = marksOf({ repositories: [repository], connections: await session.find(sshConnections) });
    const before = await readKnownSheet(session);
    const [key] = await session.find(sshKeys, { limit: 1 });
    const known: KnownSheet = {
      at: clock.now(),
      by: maker.username,
      sshKey: key?.fingerprint ?? null,
      ...before,
      repositories: { ...before?.repositories, ...marks },
    };
    await writeSetting(session, sheetSetting, known);
  });
  return { success: true as const, message: 'The saved sheet was recorded.' };
}

/** Whether the last sheet with secrets still says all that is needed. */
export async function sheetState({ storage }: SheetNeeds) {
  const [known, rows, connections, [key]] = await Promise.all([
    readKnownSheet(storage),
    storage.find(repositories, { order: [['id', 'asc']] }),
    storage.find(sshConnections),
    storage.find(sshKeys, { limit: 1 }),
  ]);
  const problem = sheetProblem(known, {
    repositories: rows,
    connections,
    sshKey: key?.fingerprint ?? null,
  });
  const state = known === null ? ('never' as const) : problem ? ('outdated' as const) : ('current' as const);
  return {
    success: true as const,
    state,
    made_at: known && isoTime(known.at),
    made_by: known?.by ?? null,
    reason: problem && sentenceOf(problem),
  };
}
