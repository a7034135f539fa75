import type { BorgmaticImport, BorgmaticImported, BorgmaticLine, NeededText } from '@holdfast/contracts';
import type {
  FoundRepository,
  ImportCheck,
  ImportEnvironment,
  ImportedFile,
  Importer,
  ImportLine,
} from '@holdfast/plugin-api/importer';
import { repositoryScripts, scripts } from '../../../backup/hooks/index.js';
import { checkGiven, repositories, sourceSets, sourcesLost } from '../../../backup/repositories/index.js';
import { repositoryNamesOf, schedules } from '../../../backup/schedules/index.js';
import { importerOf } from '../../../engine/plugins/index.js';
import {
  type Caller,
  invalid,
  isAppError,
  type Message,
  messageFrom,
  requireConfirmation,
  say,
  shownReason,
  storedMessage,
} from '../../../foundation/kernel/index.js';
import type { SettingsNeeds } from '../needs.js';
import { applyParts, type Planned } from '../settings/apply.js';
import type { Part } from '../settings/document.js';
import { objectView, summaryOf } from '../settings/planned-view.js';
import { sections } from '../settings/sections.js';
import { type Found, findWanted, type Unavailable, type Wanted } from './find-repository.js';

type InputFile = BorgmaticImport['files'][number];
type Verdict = ImportEnvironment['verdicts'][number];
type Option = ImportLine['option'];
type Need = BorgmaticImported['needs'][number];
type Asked = ImportedFile['settings'][number];

interface NamedFile extends ImportedFile {
  name: string;
  content: string;
}

/** A repository of a file that exists. */
interface Present {
  wanted: Wanted;
  found: Found;
  /** As the importer names it from now on. */
  one: FoundRepository;
}

/**
 * Imports each file in one transaction. Throws AppError `invalid` for a file that can't be read, and while texts are
 * missing.
 */
export async function importBorgmatic(
  needs: SettingsNeeds,
  caller: Caller,
  input: BorgmaticImport,
): Promise<BorgmaticImported> {
  if (!input.dry_run) requireConfirmation(caller, needs.clock.now());
  const held = secretAnswers(input).map((text) => needs.redactor.protect(text));
  try {
    return await importerOf(needs.importers, input.importer).using(async (importer) => {
      const read = readingWith(needs, importer, input);
      const first = await read(input.files, null);
      held.push(...first.secrets.map((text) => needs.redactor.protect(text)));
      const asked = first.needs.filter(({ optional }) => !optional);
      const files = first.files.map((file, at) => ({ ...file, ...(input.files[at] as InputFile) }));
      refuseEmpty(files, asked);
      if (!input.dry_run) refuseMissing(asked);
      return importFiles(needs, files, { caller, input, asked, read, claimed: new Map() });
    });
  } finally {
    for (const each of held) each.release();
  }
}

async function importFiles(
  needs: SettingsNeeds,
  files: readonly NamedFile[],
  around: Around,
): Promise<BorgmaticImported> {
  const { dry_run } = around.input;
  const objects: BorgmaticImported['objects'] = [];
  const planned: Planned[] = [];
  for (const file of files) {
    const own = await importFile(needs, file, around);
    planned.push(...own);
    objects.push(...own.map((one) => ({ ...objectView(one), file: file.name })));
  }
  const { message, counts } = summaryOf(planned, dry_run);
  const lines = files.flatMap(({ report }) => report.map(shownLine));
  const options_left_out = lines.filter(({ result }) => result === 'left_out').length;
  return {
    success: true,
    dry_run,
    message: options_left_out > 0 ? `${message} ${options_left_out} options are skipped.` : message,
    counts: { ...counts, options_left_out },
    objects,
    lines,
    needs: around.asked.map(({ kind, name, file, line }) => ({ kind, name, file, line })),
  };
}

const shownLine = ({ option: { file, line, key }, result, why, accept_as }: ImportLine): BorgmaticLine => ({
  file,
  line,
  key,
  result: result === 'lost' ? 'left_out' : result,
  ...shownReason(why && messageFrom(why)),
  accept_as,
});

/** Each round may bring new values to judge. */
const mostRounds = 10;

/** Reads files until everything is judged. Throws AppError `invalid` for one that can't be read. */
function readingWith({ driver }: SettingsNeeds, importer: Importer, input: BorgmaticImport) {
  const verdicts: Verdict[] = [];
  const judged = (check: ImportCheck): Verdict => {
    try {
      checkGiven(driver, { [check.kind]: check.text });
      return { ...check, problem: null };
    } catch (error) {
      if (!isAppError(error)) throw error;
      return { ...check, problem: storedMessage(error.reason) };
    }
  };
  return async (files: readonly InputFile[], found: ImportEnvironment['found']) => {
    const { answers, take_over: takeOver, timezone } = input;
    const cron = input.cron_expression?.trim() || null;
    for (let round = 1; ; round++) {
      const reading = await importer.read(files, { answers, verdicts, takeOver, cron, timezone, found });
      const { unreadable: no, checks } = reading;
      if (no)
        throw invalid(
          say`borgmatic_file_unreadable: ${{ file: no.file }}, line ${{ line: no.line }}: ${{ problem: no.problem }}. Nothing was imported.`,
        );
      const open = checks.filter(
        ({ kind, text }) => !verdicts.some((verdict) => verdict.kind === kind && verdict.text === text),
      );
      if (open.length === 0 || round === mostRounds) return reading;
      verdicts.push(...open.map(judged));
    }
  };
}

function refuseEmpty(files: readonly NamedFile[], asked: readonly Need[]): void {
  const empty = files.find(({ repositories: named }) => named.length === 0);
  if (!empty || asked.some(({ kind }) => kind === 'include')) return;
  throw invalid(
    say`borgmatic_repositories_missing: ${{ file: empty.name }} names no repositories. Nothing was imported.`,
  );
}

function refuseMissing(asked: readonly Need[]): void {
  const places = asked.map(({ file, line, ...need }) => `${needText(need)} (${file}, line ${line})`);
  if (places.length === 0) return;
  throw invalid(
    say`borgmatic_answers_missing: The files refer to values that are missing: ${{ places: places.slice(0, 20) }}. Nothing was imported.`,
  );
}

/** A passcommand may hold the passphrase itself. */
const needText = ({ kind, name }: NeededText): string => (kind === 'command' ? kind : `${kind} ${name}`);

interface Around {
  caller: Caller;
  input: BorgmaticImport;
  /** Answers that are still missing. */
  asked: Need[];
  read: ReturnType<typeof readingWith>;
  /** Files that configured each repository earlier, by repository id of the tool. */
  claimed: Map<string, string>;
}

async function importFile(
  needs: SettingsNeeds,
  file: NamedFile,
  { caller, input, asked, read, claimed }: Around,
): Promise<Planned[]> {
  const { report, content, name: fileName } = file;
  const create = input.create_missing && !input.dry_run;
  const accepted = new Set(input.without);
  const losses = input.take_over ? report.filter(({ result }) => result === 'lost') : [];
  const open = losses.filter(
    ({ accept_as: name, option }) => name === null || !(accepted.has(name) || accepted.has(option.name)),
  );
  const refused = open.length > 0 ? savesLess(open) : null;
  const leftOut = [
    ...new Set(losses.flatMap(({ accept_as: name }) => (name && isSaved(name) ? [name] : []))),
  ];
  const answered = ({ text }: Wanted) =>
    input.answers.some((each) => each.kind === 'passphrase' && each.name === text && each.text !== null);
  const present: Present[] = [];
  const absent: Planned[] = [];
  for (const [position, wanted] of file.repositories.entries()) {
    const found = await findWanted(needs, wanted, {
      create: create && refused === null,
      ask: () => void (answered(wanted) || asked.push(passphraseOf(wanted))),
    });
    const why = refused ?? ('why' in found ? whyAbsent(found, input) : claimedBy(claimed, wanted, found));
    if (why) leave(report, wanted.option, why);
    if (why || 'why' in found) {
      const action = why ? 'cannot' : 'create';
      absent.push({ section: 'repositories', key: wanted.text, name: wanted.name, action, fields: [], why });
    } else if (!present.some((other) => other.one.id === found.toolId)) {
      const name = await nameFor(needs, wanted, { found, base: file.base, present });
      const { toolId: id, path, encryption, connection, existing } = found;
      const isFull = existing?.mode === 'full';
      const one = { position, id, name, path, encryption, connection, isFull, leftOut };
      present.push({ wanted, found, one });
    }
  }
  const repositories = present.map(({ one }) => one);
  const base = await freeBase(needs.storage, file.base, present);
  const { files } = await read([{ name: fileName, content }], [{ base, repositories }]);
  const settings = (files[0]?.settings ?? []).map(inShape);
  const bad = settings.flatMap(({ problem }) => problem ?? []);
  const choices = { caller, keep: !input.dry_run, replaceSources: input.replace_sources };
  const { objects } = await applyParts(needs, partsIn(settings), choices);
  for (const planned of [...objects, ...bad]) {
    if (!planned.why) continue;
    const source = settings.find(
      ({ key, asked }) => key === planned.key && asked.section === planned.section,
    );
    if (source?.asked.option) leave(report, source.asked.option, planned.why);
  }
  return [...absent, ...bad, ...objects];
}

const passphraseOf = ({ text, option: { file, line } }: Wanted): Need => ({
  kind: 'passphrase',
  name: text,
  file,
  line,
});

/** Unless worse is said of it already. */
function leave(report: ImportLine[], option: Option, why: Message): void {
  const line = report.find(
    ({ option: { file, line, key } }) => file === option.file && line === option.line && key === option.key,
  );
  const left = { option, result: 'left_out' as const, why: storedMessage(why), accept_as: null };
  if (!line) report.push(left);
  else if (line.result === 'taken' || line.result === 'changed') Object.assign(line, left);
}

const isSaved = (loss: string): boolean => !['retention', 'alerts'].includes(loss);

function savesLess(open: readonly ImportLine[]): Message {
  const options = open.map(({ option: { key, line } }) => `${key} (line ${line})`);
  const names = [...new Set(open.flatMap(({ accept_as }) => accept_as ?? []))];
  return say`borgmatic_saves_less: Holdfast would back up, keep or report less than borgmatic: ${{ options: options.slice(0, 10) }}. Change the file, or accept it by name: without ${{ names }}.`;
}

const whyAbsent = ({ why, isAbsent }: Unavailable, input: BorgmaticImport): Message | null =>
  isAbsent && input.create_missing && input.dry_run ? null : why;

/** Two files want one repository to back up different things: it can only do one. */
function claimedBy(
  claimed: Map<string, string>,
  { settings: { source_directories, exclude_patterns, custom_flags, sources: databases }, name }: Wanted,
  { toolId }: Found,
): Message | null {
  const sources = JSON.stringify([source_directories, exclude_patterns, custom_flags, databases]);
  const before = claimed.get(toolId);
  if (before === undefined) claimed.set(toolId, sources);
  return before === undefined || before === sources ? null : sourcesLost(name, JSON.parse(before)[0]);
}

/** Names of things made from a file begin with its own; another file of that name may be here already. */
async function freeBase(
  storage: SettingsNeeds['storage'],
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

async function usersOf(storage: SettingsNeeds['storage'], base: string): Promise<number[]> {
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

/** Drops single values that no section accepts, and keeps the rest. */
function inShape(asked: Asked) {
  const section = sections.find(({ name }) => name === asked.section);
  const parsed = section?.shape.safeParse(asked.value);
  if (section && parsed?.success) return { asked, section, problem: null, key: section.key(asked.value) };
  const [issue] = parsed?.error?.issues ?? [];
  const field = issue?.path.join('.') ?? asked.section;
  const why = say`borgmatic_value_rejected: ${{ field }} ${{ problem: issue?.message ?? 'is not known' }}`;
  const key = String(section?.key(asked.value));
  const name = String(section?.title(asked.value));
  const problem: Planned = { section: asked.section, key, name, action: 'cannot', fields: [], why };
  return { asked, section, problem, key };
}

/** The parts to apply, in the order of the sections. */
const partsIn = (settings: readonly ReturnType<typeof inShape>[]): Part[] =>
  sections.map((section) => ({
    section,
    objects: settings.flatMap(({ asked, problem, key }) =>
      asked.section === section.name && !problem ? [{ key, value: asked.value }] : [],
    ),
  }));

/** A name that the repository has stays; a new one is free. */
async function nameFor(
  { storage }: SettingsNeeds,
  { name }: Wanted,
  { found, base, present }: { found: Found; base: string; present: readonly Present[] },
): Promise<string> {
  if (found.existing) return found.existing.name;
  const taken = new Set([
    ...(await storage.find(repositories)).map((row) => row.name),
    ...present.map(({ one }) => one.name),
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
