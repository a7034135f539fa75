import type { BorgmaticImport, BorgmaticImported } from '@holdfast/contracts';
import { type Caller, invalid, requireConfirmation, say } from '../../kernel/index.js';
import { repositories } from '../../repositories/tables.js';
import type { ExchangeNeeds } from '../needs.js';
import { applyParts, type Planned } from '../settings/apply.js';
import { objectView, summaryOf } from '../settings/planned-view.js';
import { sections } from '../settings/sections.js';
import { Answers } from './answers.rules.js';
import { type Found, findWanted } from './find-repository.js';
import { type MappedFile, mapFile, type Wanted } from './map-file.rules.js';
import { type Asked, askedBy, type Present, partsOf } from './parts-of.rules.js';
import { readTree } from './read-tree.js';
import { resolved } from './resolve.rules.js';

interface NamedFile extends MappedFile {
  name: string;
}

/**
 * Imports each file in one transaction. Throws AppError `invalid` for a file that can't be read, and while texts are
 * missing.
 */
export const importBorgmatic =
  (needs: ExchangeNeeds) =>
  async (caller: Caller, input: BorgmaticImport): Promise<BorgmaticImported> => {
    if (!input.dry_run) requireConfirmation(caller, needs.clock.now());
    const answers = new Answers(input.answers);
    const held = secretAnswers(input).map((text) => needs.redactor.protect(text));
    try {
      const files = await mapFiles(needs, input, answers);
      held.push(...secretsOf(files).map((text) => needs.redactor.protect(text)));
      if (!input.dry_run) refuseMissing(answers);
      const objects: (Planned & { file: string })[] = [];
      for (const file of files)
        for (const planned of await importFile(needs, file, { caller, input, answers }))
          objects.push({ ...planned, file: file.name });
      const { message, counts } = summaryOf(objects, input.dry_run);
      return {
        ...{ success: true, dry_run: input.dry_run, message, counts },
        objects: objects.map(({ file, ...planned }) => ({ ...objectView(planned), file })),
        lines: files.flatMap(({ report }) => report.lines()),
        needs: answers.missing.map(({ kind, name, file, line }) => ({ kind, name, file, line })),
      };
    } finally {
      for (const each of held) each.release();
    }
  };

async function mapFiles(
  { driver }: ExchangeNeeds,
  { files, take_over, cron_expression, timezone }: BorgmaticImport,
  answers: Answers,
): Promise<NamedFile[]> {
  const choices = {
    takeOver: take_over,
    cron_expression: cron_expression?.trim() || null,
    timezone,
    checkFlags: (flags: string[]) => driver.checkCustomFlags(flags),
  };
  const mapped: NamedFile[] = [];
  for (const file of files) {
    const tree = resolved(await readTree(file, answers), answers);
    mapped.push({ name: file.name, ...mapFile(file.name, tree, answers, choices) });
  }
  const bases = mapped.map(({ base }) => base);
  // Two files of the same name: their folders tell them apart.
  return mapped.map((file) =>
    bases.filter((base) => base === file.base).length > 1 ? { ...file, base: file.name } : file,
  );
}

function refuseMissing(answers: Answers): void {
  const places = answers.missing.map(({ file, line, kind }) => `${kind} (${file}, line ${line})`);
  if (places.length === 0) return;
  throw invalid(
    say(
      'borgmatic_answers_missing',
    )`Texts that the files refer to are missing: ${{ places: places.slice(0, 20) }}. A dry_run lists them in needs. Nothing was imported.`,
  );
}

interface Around {
  caller: Caller;
  input: BorgmaticImport;
  answers: Answers;
}

async function importFile(
  needs: ExchangeNeeds,
  { base, wanted, report }: NamedFile,
  { caller, input, answers }: Around,
): Promise<Planned[]> {
  const create = input.create_missing && !input.dry_run;
  const present: Present[] = [];
  const absent: Planned[] = [];
  for (const one of wanted) {
    const found = await findWanted(needs, one, { answers, create });
    if ('why' in found) {
      const isPlanned = found.isAbsent === true && input.create_missing && input.dry_run;
      const why = isPlanned ? null : found.why;
      if (why) report.leave(one.option, why);
      const action = why ? 'cannot' : 'create';
      absent.push({ section: 'repositories', key: one.text, name: one.name, action, fields: [], why });
    } else if (!present.some((other) => other.found.toolId === found.toolId))
      present.push({ wanted: one, found, name: await nameFor(needs, one, { found, base, present }) });
  }
  const asked = askedBy(base, present, input.take_over).map(inShape);
  const bad = asked.flatMap(({ problem }) => (problem ? [problem] : []));
  const good = asked.flatMap(({ asked: each, problem }) => (problem ? [] : [each]));
  const { objects } = await applyParts(needs, partsOf(good, sections), { caller, keep: !input.dry_run });
  for (const planned of [...objects, ...bad]) {
    if (!planned.why) continue;
    const source = asked.find(
      ({ asked: each, section }) =>
        section?.key(each.value) === planned.key && each.section === planned.section,
    );
    report.leave(source?.asked.option ?? undefined, planned.why);
  }
  return [...absent, ...bad, ...objects];
}

/** A value that no section takes is no reason to refuse the rest. */
function inShape(asked: Asked) {
  const section = sections.find(({ name }) => name === asked.section);
  const parsed = section?.shape.safeParse(asked.value);
  if (!section || !parsed || parsed.success) return { asked, section, problem: null };
  const [issue] = parsed.error.issues;
  const field = issue?.path.join('.') ?? '';
  const why = say('borgmatic_value_rejected')`${{ field }} ${{ problem: issue?.message ?? '' }}`;
  const key = section.key(asked.value);
  const name = section.title(asked.value);
  const problem: Planned = { section: section.name, key, name, action: 'cannot', fields: [], why };
  return { asked, section, problem };
}

/** A name that the repository has stays; a new one is free. */
async function nameFor(
  { storage }: ExchangeNeeds,
  { name }: Wanted,
  { found, base, present }: { found: Found; base: string; present: readonly Present[] },
): Promise<string> {
  if (found.existing) return found.existing.name;
  const taken = new Set([
    ...(await storage.find(repositories)).map((row) => row.name),
    ...present.map((each) => each.name),
  ]);
  if (!taken.has(name)) return name;
  let free = `${name} (${base})`;
  for (let n = 2; taken.has(free); n++) free = `${name} (${base} ${n})`;
  return free;
}

const secretKinds = new Set(['command', 'credential', 'passphrase', 'variable']);
const secretAnswers = ({ answers }: BorgmaticImport): string[] =>
  answers.flatMap(({ kind, text }) =>
    secretKinds.has(kind) ? (text ?? '').split(/\r?\n/).filter((line) => line.length >= 8) : [],
  );
const secretsOf = (files: readonly MappedFile[]): string[] =>
  files.flatMap(({ wanted }) =>
    wanted.flatMap(({ secrets, channels, monitors }) => [
      ...(secrets.passphrase ? [secrets.passphrase] : []),
      ...[...channels, ...monitors].map(({ url }) => url),
    ]),
  );
