import type { DrillResultView, DrillView } from '@holdfast/contracts';
import { escapeHtml, humanSize } from '../../foundation/kernel/index.js';

interface Made {
  made: string;
  made_by: string;
  from: string | null;
  to: string | null;
}

const style =
  'body{font:10pt sans-serif;margin:2cm;color:#000}table{border-collapse:collapse;width:100%}' +
  'th,td{border:1px solid #999;padding:3px 6px;text-align:left;vertical-align:top;overflow-wrap:anywhere}' +
  'tr{break-inside:avoid}@page{size:A4}@media print{body{margin:0}}';

/** The evidence as a page to print, without its last line. */
export function evidencePage(
  { made, made_by, from, to }: Made,
  drills: readonly { drill: DrillView; failures: readonly DrillResultView[] }[],
): string[] {
  const time = `${from ?? 'the beginning'} to ${to ?? made}`;
  return [
    `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>Restore drills</title><style>${style}</style></head>\n`,
    `<body><h1>Restore drills</h1>\n<p>${drills.length} drills, ${text(time)}. Made at ${made} by ${text(made_by)}.</p>\n`,
    '<table><thead><tr><th>Drill</th><th>Repository, archive</th><th>Ended</th><th>Verdict</th><th>Restored and compared</th><th>Tested in 90 days</th></tr></thead><tbody>\n',
    ...drills.map(({ drill, failures }) => `${row(drill)}${failures.map(failure).join('')}\n`),
    '</tbody></table>\n',
  ];
}

const verdicts = { passed: 'Passed', failed: 'Failed', none: 'No result' };

function row(drill: DrillView): string {
  const { archive, restored_files, restored_bytes, compared_with_source, source_changed, failed_files } =
    drill;
  const archiveText = archive ? `${archive.name} (${archive.id.slice(0, 12)})` : 'no archive';
  const restored =
    `${restored_files} files, ${humanSize(restored_bytes)}; ${compared_with_source} by hash with their source, ` +
    `${source_changed} changed at their source since; ${failed_files} failed`;
  const why = drill.error_message === null ? '' : `<br>${text(drill.error_message)}`;
  const coverage = drill.coverage_percent === null ? '' : `${drill.coverage_percent} %`;
  return (
    `<tr><td>${drill.id}</td><td>${text(drill.repository_name)}<br>${text(archiveText)}</td>` +
    `<td>${drill.ended_at}<br>${drill.seconds} s</td><td>${verdicts[drill.verdict]}${why}</td>` +
    `<td>${restored}</td><td>${coverage}</td></tr>`
  );
}

const failure = ({ path, reason, sha256 }: DrillResultView): string =>
  `<tr><td></td><td colspan="5">${text(path)}: ${text(reason ?? '')}${sha256 ? ` SHA-256 ${sha256}` : ''}</td></tr>`;

/** In one line: line breaks in names must not look like the last line. */
const text = (plain: string): string => escapeHtml(plain).replace(/\p{Cc}/gu, '\ufffd');
