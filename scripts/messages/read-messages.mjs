import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const snakeCase = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/;

/** All messages in the sources of these folders: `{ code, sentence, place }`, and what is wrong with them. */
export function readMessages(checkout, folders) {
  const messages = [];
  const problems = [];
  for (const folder of folders) {
    for (const file of readdirSync(join(checkout, folder), { recursive: true })) {
      if (!file.endsWith('.ts')) continue;
      const text = readFileSync(join(checkout, folder, file), 'utf8');
      if (!/\bsay\b|\bCodeTable\b/.test(text)) continue;
      readFile(join(folder, file), text, { messages, problems });
    }
  }
  return { messages, problems: [...problems, ...duplicates(messages)] };
}

function readFile(name, text, { messages, problems }) {
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
  const placeOf = (node) => `${name}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
  const add = (node, code, sentence) => {
    const place = placeOf(node);
    if (!snakeCase.test(code)) problems.push(`${place}: the code ${code} is not snake_case.`);
    messages.push({ code, sentence, place });
  };
  const says = imports(file, 'say');
  const visit = (node) => {
    if (says && isSay(node)) {
      const [, code, sentence] = /^([^\s:]+): (.+)$/s.exec(sentenceOf(node.template)) ?? [];
      const problem = problemOf(code, node.template);
      if (problem) problems.push(`${placeOf(node)}: ${problem}`);
      else add(node, code, sentence);
    } else if (isTable(node)) {
      for (const [code, meaning] of entriesOf(node)) add(node, code, meaning);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
}

const imports = (file, name) =>
  file.statements.some(
    (statement) =>
      ts.isImportDeclaration(statement) &&
      statement.importClause?.namedBindings?.elements?.some((each) => each.name.text === name),
  );

const isSay = (node) => ts.isTaggedTemplateExpression(node) && node.tag.getText() === 'say';

function problemOf(code, template) {
  if (!code) return 'a message must begin with its code and a colon.';
  const spans = ts.isTemplateExpression(template) ? template.templateSpans : [];
  return spans.every(({ expression }) => nameIn(expression) !== null)
    ? null
    : `each value of ${code} must be an object with one entry, its name and value.`;
}

function nameIn(expression) {
  if (!ts.isObjectLiteralExpression(expression) || expression.properties.length !== 1) return null;
  const [{ name }] = expression.properties;
  return name && ts.isIdentifier(name) ? name.text : null;
}

function sentenceOf(template) {
  if (!ts.isTemplateExpression(template)) return template.text;
  const values = template.templateSpans.map(
    ({ expression, literal }) => `{${nameIn(expression)}}${literal.text}`,
  );
  return template.head.text + values.join('');
}

const isTable = (node) =>
  ts.isVariableDeclaration(node) &&
  node.type !== undefined &&
  ts.isTypeReferenceNode(node.type) &&
  node.type.typeName.getText() === 'CodeTable';

/** Of an object literal that has only texts as values. */
const entriesOf = ({ initializer }) =>
  initializer.properties.map(({ name, initializer: meaning }) => [name.text, meaning.text]);

function duplicates(messages) {
  const first = new Map();
  return messages.flatMap((message) => {
    const known = first.get(message.code);
    if (!known) first.set(message.code, message);
    return known ? [`${message.place}: the code ${message.code} is in ${known.place} already.`] : [];
  });
}
