import type { ToolLogLine, ToolProgress } from '@holdfast/plugin-api/driver';
import { expect, test } from 'vitest';
import { findingOf } from '../src/parse/check-findings.js';
import { ToolLog } from '../src/parse/tool-log.js';

const json = (value: object) => `${JSON.stringify(value)}\n`;
const archiveProgress = (size: number) =>
  json({
    type: 'archive_progress',
    original_size: size,
    compressed_size: 5,
    deduplicated_size: 4,
    nfiles: 3,
    path: 'p',
  });

function collect(isEscaped = false) {
  const progress: ToolProgress[] = [];
  const lines: ToolLogLine[] = [];
  const log = new ToolLog({ onProgress: (p) => progress.push(p), onLog: (l) => lines.push(l) }, isEscaped);
  return { log, progress, lines };
}

test('reports progress at most five times a second, including the last', () => {
  const { log, progress } = collect();
  for (let size = 1; size <= 100; size++) log.push(archiveProgress(size));
  log.push(json({ type: 'archive_progress', finished: true }));
  expect(progress).toEqual([
    { originalSize: 1, compressedSize: 5, deduplicatedSize: 4, files: 3, currentPath: 'p' },
  ]);
  log.end();
  expect(progress[1]).toMatchObject({ originalSize: 100 });
});

test('phases carry their position', () => {
  const { log, progress } = collect();
  log.push(
    json({
      type: 'progress_percent',
      msgid: 'repository.check',
      current: 2,
      total: 9,
      message: 'Checking',
      finished: false,
    }),
  );
  expect(progress).toEqual([{ phase: 'repository.check', current: 2, total: 9, message: 'Checking' }]);
});

test('joins partial lines and logs internals of the tool at debug level', () => {
  const { log, lines } = collect();
  const text = json({ type: 'log_message', levelname: 'WARNING', message: 'watch out' });
  log.push(text.slice(0, 7));
  log.push(text.slice(7));
  log.push(
    json({ type: 'log_message', levelname: 'ERROR', message: 'Traceback (most recent call last):\n  x' }),
  );
  log.push('plain words');
  log.end();
  expect(lines).toEqual([
    { level: 'warning', text: 'watch out' },
    { level: 'debug', text: 'Traceback (most recent call last):' },
    { level: 'debug', text: '  x' },
    { level: 'warning', text: 'plain words' },
  ]);
});

test('reads escaped messages between other lines', () => {
  const { log, lines } = collect(true);
  const message = JSON.stringify({ type: 'log_message', levelname: 'ERROR', message: 'ü\n"q"', msgid: 'X' });
  const escaped = `${message.replaceAll('\\', '\\\\').replaceAll('ü', '\\xfc')}\\n`;
  log.push(escaped.slice(0, -1));
  log.push(`${escaped.slice(-1)}setpriv: no\n`);
  log.end();
  expect(log.errors).toEqual([{ text: 'ü\n"q"', msgid: 'X' }]);
  expect(lines.at(-1)).toEqual({ level: 'warning', text: 'setpriv: no' });
});

test('endless output stays bounded', () => {
  const { log } = collect();
  for (let count = 0; count < 500; count++) {
    log.push('x'.repeat(64 * 1024));
    if (count % 50 === 0) log.push('\n');
    log.push(json({ type: 'log_message', levelname: 'WARNING', message: 'w'.repeat(10_000) }));
  }
  log.end();
  const kept = [...log.warnings.map(({ text }) => text), ...log.plain];
  expect(kept.length).toBeLessThanOrEqual(100);
  expect(kept.every((text) => text.length <= 4000)).toBe(true);
});

test('lists archives with damaged files after a check', () => {
  const at = '(Byte 0-9, Chunk 00ff)';
  const said = (level: string, message: string) =>
    json({ type: 'log_message', levelname: level, name: 'borg.archive', message });
  const { log } = collect();
  log.push(said('ERROR', 'Finished full repository check, errors found.'));
  for (const name of ['whole', 'old one', 'new', 'healed', 'torn', 'last'])
    log.push(
      said('INFO', `Analyzing archive ${name} (1/6)`) +
        ({
          'old one': said(
            'INFO',
            `old one: a\nb: Previously missing file chunk is still missing ${at}. It has an all-zero replacement chunk already.`,
          ),
          new: said('ERROR', `new: a: New missing file chunk detected ${at}. Replacing with all-zero chunk.`),
          healed: said('INFO', `healed: a: Healed previously missing file chunk! ${at}.`),
          torn: said('ERROR', 'item metadata chunk missing [chunk: 000001_00ff]'),
        }[name] ?? ''),
    );
  log.push(said('ERROR', '3 orphaned objects found!'));
  log.push(said('ERROR', 'Archive consistency check complete, problems found.'));
  log.end();
  expect(log.findings.damaged({ repaired: true })).toEqual(['old one', 'new', 'torn']);
  expect(log.findings.damaged({ repaired: false })).toEqual(['old one', 'new', 'torn', 'healed']);
});

test('lists renamed archives as unsigned and ignores unknown messages', () => {
  const { log } = collect();
  const said = (levelname: string, message: string) => json({ type: 'log_message', levelname, message });
  const issue = 'Data integrity error: Archive authentication did not verify';
  log.push(said('INFO', 'Analyzing archive kept: since 2019 (1/2)'));
  log.push(said('ERROR', `Archive TAM authentication issue for archive kept: since 2019: ${issue}`));
  log.push(said('ERROR', 'This archive would be *removed* / *deleted* when using --repair!'));
  log.push(said('INFO', 'Analyzing archive torn (2/2)'));
  log.push(said('ERROR', 'Something that a later borg says'));
  log.end();
  const { unsigned, kinds } = log.findings;
  expect([[...unsigned], [...kinds]]).toEqual([['kept: since 2019'], ['unsigned', 'unknown']]);
  expect(log.findings.damaged({ repaired: false })).toEqual([]);
});

test.each([
  ['remark', 'Index object count mismatch.'],
  ['remark', 'committed index: 5 objects'],
  ['remark', '3 orphaned objects found!'],
  ['damage', 'Data integrity error: Segment entry checksum mismatch [segment 0, offset 8]'],
  ['damage', 'Archive metadata block 00ff is missing!'],
  ['damage', 'chunk 00ff, integrity error: Data integrity error: x'],
  ['damage', 'Repository manifest is corrupted: x'],
  ['unknown', 'Something that a later borg says'],
  [null, 'Finished full repository check, errors found.'],
])('finds in a check %s for %j', (finding, text) => {
  expect(findingOf(text)).toBe(finding);
});
