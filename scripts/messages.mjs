#!/usr/bin/env node
/**
 * `node scripts/messages.mjs [--check] [root of a checkout]`: writes `docs/messages.md`, the table of all sentences for
 * users with their codes: each `say`code:  and each `CodeTable`. With `--check` nothing is written, and an outdated
 * page is a failure. A code that stands in two places, is no literal or is not snake_case is a failure in any case.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readMessages } from './messages/read-messages.mjs';
import { root } from './prepare/root.mjs';

const parameters = process.argv.slice(2);
const checked = parameters.includes('--check');
const checkout = parameters.find((each) => !each.startsWith('--')) ?? root;
const plugins = readdirSync(join(checkout, 'plugins')).map((name) => join('plugins', name, 'src'));
const folders = [join('core', 'src'), join('server', 'src'), ...plugins];

const { messages, problems } = readMessages(checkout, folders);
const page = join(checkout, 'docs', 'messages.md');
const before = existsSync(page) ? readFileSync(page, 'utf8') : '';
const after = textOf(messages);
for (const problem of problems) console.error(problem);
if (!checked && problems.length === 0) writeFileSync(page, after);
if (checked && before !== after) console.error('docs/messages.md is out of date: run `npm run generate`.');
else console.log(`${messages.length} messages, as docs/messages.md shows them`);
process.exitCode = problems.length > 0 || (checked && before !== after) ? 1 : 0;

function textOf(all) {
  const rows = all
    .toSorted((a, b) => (a.code < b.code ? -1 : 1))
    .map(({ code, sentence }) => `| \`${code}\` | ${escaped(sentence)} |`);
  return `# Messages

\`npm run generate\` writes this page.

The sentences for users, by their codes. The names in braces are those of the values in \`params\`; some messages have more
values than their sentence shows, such as \`reason_code\`, the code of \`reason\`. For \`tool_…\` and \`host_…\` the
table says what they mean, because their sentences are made elsewhere, for example by the backup tool. How to use them: [API](api.md#errors-and-messages).

| Code | Sentence |
| ---- | -------- |
${rows.join('\n')}
`;
}

function escaped(sentence) {
  return sentence
    .replace(/\s+/g, ' ')
    .replace(/[\\|*]/g, '\\$&')
    .replaceAll('<', '&lt;');
}
