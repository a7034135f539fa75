import { setImmediate as nextTurn } from 'node:timers/promises';
import type { BorgmaticImport, BorgmaticImported, NeededText } from '@holdfast/contracts';
import { repositoryNamesOf } from '../../../backup/calendar/index.js';
import { repositoryScripts, scripts } from '../../../backup/hooks/index.js';
import { repositories, sourceSets, sourcesLost } from '../../../backup/repositories/index.js';
import { schedules } from '../../../backup/schedules/index.js';
import {
  type Caller,
  invalid,
  type Message,
  requireConfirmation,
  say,
} from '../../../foundation/kernel/index.js';
import type { ExchangeNeeds } from '../needs.js';
import { applyParts, type Planned } from '../settings/apply.js';
import { objectView, summaryOf } from '../settings/planned-view.js';
import { sections } from '../settings/sections.js';
import { Answers } from './answers.rules.js';
import { type Found, findWanted, type Unavailable } from './find-repository.js';
import { type MappedFile, mapFile, type Wanted } from './map-file.rules.js';
import { type Asked, askedBy, type Present, partsOf } from './parts-of.rules.js';
import { unreadable } from './read-tree.js';
import type { Report } from './report.rules.js';
import type { MapTree } from './tree.js';

interface NamedFile extends MappedFile {
  name: string;
}

/**
 * Imports each file in one transaction. Throws AppError `invalid` for a file that can't be read, and while texts are
 * missing.
 */
export async function importBorgmatic(
  needs: ExchangeNeeds,
  caller: Caller,
  input: BorgmaticImport,
): Promise<BorgmaticImported> {
  if (!input.dry_run) requireConfirmation(caller, needs.clock.now());
  const answers = new Answers(input.answers);
  const held = secretAnswers(input).map((text) => needs.redactor.protect(text));
  try {
    const files = await mapFiles(needs, input, answers);
    held.push(...secretsOf(files).map((text) => needs.redactor.protect(text)));
    if (!input.dry_run) refuseMissing(answers);
    const objects: (Planned & { file: string })[] = [];
    const around = { caller, input, answers, claimed: new Map() };
    for (const file of files)
      for (const planned of await importFile(needs, file, around))
        objects.push({ ...planned, file: file.name });
    const { message, counts } = summaryOf(objects, input.dry_run);
    const lines = files.flatMap(({ report }) => report.lines());
    const options_left_out = lines.filter(({ result }) => result === 'left_out').length;
    return {
      success: true,
      dry_run: input.dry_run,
      message: options_left_out > 0 ? `${message} ${options_left_out} options are left out.` : message,
      counts: { ...counts, options_left_out },
      objects: objects.map(({ file, ...planned }) => ({ ...objectView(planned), file })),
      lines,
      needs: answers.missing.map(({ kind, name, file, line }) => ({ kind, name, file, line })),
    };
  } finally {
    for (const each of held) each.release();
  }
}

async function mapFiles(
  { driver, readFiles }: ExchangeNeeds,
  { files, answers: given, take_over, cron_expression, timezone }: BorgmaticImport,
  answers: Answers,
): Promise<NamedFile[]> {
  const choices = {
    takeOver: take_over,
    cron_expression: cron_expression?.trim() || null,
    timezone,
    checkFlags: (flags: string[]) => driver.checkCustomFlags(flags),
  };
  const { trees, asked, unreadable: problem } = await readFiles(files, given);
  if (problem) throw unreadable(problem.file, problem.line, problem.problem);
  for (const need of asked) answers.ask(need.kind, need.name, need, need.optional);
  const mapped: NamedFile[] = [];
  for (const [at, file] of files.entries()) {
    await nextTurn();
    const tree = trees[at] as MapTree;
    const one = mapFile(file.name, tree, answers, choices);
    const isWhole = answers.missing.every(({ kind }) => kind !== 'include');
    if (one.wanted.length === 0 && isWhole)
      throw invalid(
        say`borgmatic_repositories_missing: ${{ file: file.name }} names no repositories. Nothing was imported.`,
      );
    mapped.push({ name: file.name, ...one });
  }
  const bases = mapped.map(({ base }) => base);
  // Two files of the same name: their folders tell them apart.
  return mapped.map((file) =>
    bases.filter((base) => base === file.base).length > 1 ? { ...file, base: file.name } : file,
  );
}

function refuseMissing(answers: Answers): void {
  const places = answers.missing.map(
    ({ file, line, ...need }) => `${needText(need)} (${file}, line ${line})`,
  );
  if (places.length === 0) return;
  throw invalid(
    say`borgmatic_answers_missing: The files refer to what is missing: ${{ places: places.slice(0, 20) }}. Nothing was imported.`,
  );
}

/** A passcommand may hold the passphrase itself. */
const needText = ({ kind, name }: NeededText): string => (kind === 'command' ? kind : `${kind} ${name}`);

interface Around {
  caller: Caller;
  input: BorgmaticImport;
  answers: Answers;
  /** What files before asked of each repository, by the id of the tool. */
  claimed: Map<string, string>;
}

async function importFile(
  needs: ExchangeNeeds,
  { base: wantedBase, wanted, report }: NamedFile,
  { caller, input, answers, claimed }: Around,
): Promise<Planned[]> {
  const create = input.create_missing && !input.dry_run;
  const accepted = new Set(input.without);
  const losses = input.take_over ? report.losses : [];
  const open = losses.filter(
    ({ name, option }) => name === null || !(accepted.has(name) || accepted.has(option.name)),
  );
  const refused = open.length > 0 ? savesLess(open) : null;
  const leftOut = [...new Set(losses.flatMap(({ name }) => (name && isSaved(name) ? [name] : [])))];
  const present: Present[] = [];
  const absent: Planned[] = [];
  for (const one of wanted) {
    const found = await findWanted(needs, one, { answers, create: create && refused === null });
    const why = refused ?? ('why' in found ? whyAbsent(found, input) : claimedBy(claimed, one, found));
    if (why) report.leave(one.option, why);
    if (why || 'why' in found) {
      const action = why ? 'cannot' : 'create';
      absent.push({ section: 'repositories', key: one.text, name: one.name, action, fields: [], why });
    } else if (!present.some((other) => other.found.toolId === found.toolId)) {
      const name = await nameFor(needs, one, { found, base: wantedBase, present });
      present.push({ wanted: one, found, name, leftOut });
    }
  }
  const base = await freeBase(needs.storage, wantedBase, present);
  const asked = askedBy(base, present, input.take_over).map(inShape);
  const bad = asked.flatMap(({ problem }) => (problem ? [problem] : []));
  const good = asked.flatMap(({ asked: each, problem }) => (problem ? [] : [each]));
  const choices = { caller, keep: !input.dry_run, replaceSources: input.replace_sources };
  const { objects } = await applyParts(needs, partsOf(good, sections), choices);
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

const isSaved = (loss: string): boolean => !['retention', 'alerts'].includes(loss);

function savesLess(open: Report['losses']): Message {
  const options = open.map(({ option: { key, line } }) => `${key} (line ${line})`);
  const names = [...new Set(open.flatMap(({ name }) => name ?? []))];
  return say`borgmatic_saves_less: Less would be saved, kept or told than by borgmatic: ${{ options: options.slice(0, 10) }}. Solve it in the file, or accept it by name: without ${{ names }}.`;
}

const whyAbsent = ({ why, isAbsent }: Unavailable, input: BorgmaticImport): Message | null =>
  isAbsent && input.create_missing && input.dry_run ? null : why;

/** Two files want one repository to back up different things: it can only do one. */
function claimedBy(
  claimed: Map<string, string>,
  { settings: { source_directories, exclude_patterns, custom_flags }, name }: Wanted,
  { toolId }: Found,
): Message | null {
  const sources = JSON.stringify([source_directories, exclude_patterns, custom_flags]);
  const before = claimed.get(toolId);
  if (before === undefined) claimed.set(toolId, sources);
  return before === undefined || before === sources ? null : sourcesLost(name, JSON.parse(before)[0]);
}

/** Names of things made from a file begin with its own; another file of that name may be here already. */
async function freeBase(
  storage: ExchangeNeeds['storage'],
  base: string,
  present: readonly Present[],
): Promise<string> {
  const own = new Set(present.flatMap(({ found }) => found.existing?.id ?? []));
  for (let n = 1; ; n++) {
    const name = n === 1 ? base : `${base} ${n}`;
    const users = await usersOf(storage, name);
    if (users.every((id) => own.has(id))) return name;
  }
}

async function usersOf(storage: ExchangeNeeds['storage'], base: string): Promise<number[]> {
  const [schedule] = await storage.find(schedules, { where: { name: base }, limit: 1 });
  const [set] = await storage.find(sourceSets, { where: { name: base }, limit: 1 });
  const library = (await storage.find(scripts)).filter(({ name }) => name.startsWith(`${base}: `));
  const attached = await storage.find(repositoryScripts, {
    where: { script_id: { in: library.map(({ id }) => id) } },
  });
  const ofSet = set ? await storage.find(repositories, { where: { source_set_id: set.id } }) : [];
  const covered = schedule ? ((await repositoryNamesOf(storage)).get(schedule.id) ?? []) : [];
  return [...covered, ...ofSet]
    .map(({ id }) => id)
    .concat(attached.map(({ repository_id }) => repository_id));
}

/** A value that no section takes is no reason to refuse the rest. */
function inShape(asked: Asked) {
  const section = sections.find(({ name }) => name === asked.section);
  const parsed = section?.shape.safeParse(asked.value);
  if (!section || !parsed || parsed.success) return { asked, section, problem: null };
  const [issue] = parsed.error.issues;
  const field = issue?.path.join('.') ?? '';
  const why = say`borgmatic_value_rejected: ${{ field }} ${{ problem: issue?.message ?? '' }}`;
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
