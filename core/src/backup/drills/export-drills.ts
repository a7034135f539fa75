import { createHash } from 'node:crypto';
import type { DrillExportQuery } from '@holdfast/contracts';
import type { Caller } from '../../foundation/kernel/index.js';
import { invalid, isoTime, say } from '../../foundation/kernel/index.js';
import { readResults } from './evidence.js';
import { evidencePage } from './evidence-page.rules.js';
import { drillView, resultView } from './list-drills.js';
import type { DrillsNeeds } from './needs.js';
import { type DrillRow, drills } from './tables.js';

const maxFiles = 200_000;
const atOnce = 200;

/** A file whose last line has the hash of all lines before it. */
export interface EvidenceFile {
  fileName: string;
  contentType: string;
  content: Buffer[];
  size: number;
  sha256: string;
}

/**
 * The evidence of drills as JSON, or as a page to print. Throws AppError `invalid` when it is too much for one
 * file. The caller records the hash in the audit trail.
 */
export async function exportDrills(
  { storage, clock }: DrillsNeeds,
  { username }: Pick<Caller, 'username'>,
  query: DrillExportQuery,
): Promise<EvidenceFile> {
  const { format = 'json', repository_id, from, to } = query;
  const rows = await rowsOf({ storage }, query);
  const made = isoTime(clock.now());
  const head = { format: 'holdfast-drills-1', made, made_by: username };
  const about = { ...head, repository_id: repository_id ?? null, from: from ?? null, to: to ?? null };
  const name = `drills-${made.slice(0, 10)}`;
  if (format === 'html') {
    const all = [];
    for (const row of rows) {
      const results = await readResults({ storage }, row.job_id, { offset: 0, limit: row.failed_files });
      all.push({ drill: drillView(row), failures: results.map(resultView) });
    }
    const seal = (hash: string) =>
      `<p>SHA-256 of all lines before this one: <code>${hash}</code></p></body></html>\n`;
    return sealed(evidencePage(about, all), seal, {
      name: `${name}.html`,
      type: 'text/html; charset=utf-8',
    });
  }
  const lines = [`{"evidence":${JSON.stringify(about).slice(0, -1)},"drills":[\n`];
  for (const [index, row] of rows.entries()) {
    const results = await readResults({ storage }, row.job_id, { offset: 0, limit: maxFiles });
    const line = JSON.stringify({ ...drillView(row), results: results.map(resultView) });
    lines.push(`${line}${index < rows.length - 1 ? ',' : ''}\n`);
  }
  lines.push(']},\n');
  const seal = (hash: string) => `"sha256":"${hash}"}\n`;
  return sealed(lines, seal, { name: `${name}.json`, type: 'application/json' });
}

async function rowsOf(
  { storage }: Pick<DrillsNeeds, 'storage'>,
  { repository_id, from, to }: DrillExportQuery,
): Promise<DrillRow[]> {
  const ended = {
    ...(from === undefined ? {} : { gte: Date.parse(from) }),
    ...(to === undefined ? {} : { lt: Date.parse(to) }),
  };
  const found: DrillRow[] = [];
  let files = 0;
  for (let before = Number.MAX_SAFE_INTEGER; ; ) {
    const rows = await storage.find(drills, {
      where: {
        id: { lt: before },
        ...(repository_id === undefined ? {} : { repository_id }),
        ...(from === undefined && to === undefined ? {} : { ended_at: ended }),
      },
      order: [['id', 'desc']],
      limit: atOnce,
    });
    found.push(...rows);
    files += rows.reduce((sum, row) => sum + 1 + row.restored_files + row.not_examined_files, 0);
    if (files > maxFiles) {
      throw invalid(
        say`drill_export_too_long: These drills have more than ${{ limit: maxFiles }} files: choose a shorter period, or one repository.`,
      );
    }
    if (rows.length < atOnce) return found;
    before = rows.at(-1)?.id ?? 0;
  }
}

function sealed(
  lines: readonly string[],
  seal: (hash: string) => string,
  { name, type }: { name: string; type: string },
): EvidenceFile {
  const hash = createHash('sha256');
  const content = lines.map((line) => Buffer.from(line));
  for (const piece of content) hash.update(piece);
  const sha256 = hash.digest('hex');
  content.push(Buffer.from(seal(sha256)));
  const size = content.reduce((sum, { length }) => sum + length, 0);
  return { fileName: name, contentType: type, content, size, sha256 };
}
