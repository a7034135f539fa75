#!/usr/bin/env node
/**
 * `node scripts/messages.mjs [--check] [root of a checkout]`: writes `docs/developers/messages.md`, the table of all
 * messages for users with their codes: each `say`code:  and each `CodeTable`. With `--check` it writes nothing and fails
 * if the page is out of date. It always fails for a code that is used twice, not a literal or not snake_case.
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
const name = 'docs/developers/messages.md';
const page = join(checkout, name);
const before = existsSync(page) ? readFileSync(page, 'utf8') : '';
const after = textOf(messages);
for (const problem of problems) console.error(problem);
if (!checked && problems.length === 0) writeFileSync(page, after);
if (checked && before !== after) console.error(`${name} is out of date: run \`npm run generate\`.`);
else console.log(`${messages.length} messages, as ${name} shows them`);
process.exitCode = problems.length > 0 || (checked && before !== after) ? 1 : 0;

function textOf(all) {
  const rows = all
    .toSorted((a, b) => (a.code < b.code ? -1 : 1))
    .map(({ code, sentence }) => `| \`${code}\` | ${escaped(sentence)} |`);
  return `# Messages

\`npm run generate\` writes this page.

All messages that users see, by code. Names in braces are fields of \`params\`, which may have more fields than the message
shows, such as \`reason_code\`, the code of \`reason\`. For \`tool_…\` and \`host_…\` the table gives the meaning; the text
comes from Borg or SSH. How to use them: [API](api.md#errors-and-messages).

| Code | Message |
| ---- | ------- |
${rows.join('\n')}
`;
}

function escaped(sentence) {
  return sentence
    .replace(/\s+/g, ' ')
    .replace(/[\\|*]/g, '\\$&')
    .replaceAll('<', '&lt;');
}
