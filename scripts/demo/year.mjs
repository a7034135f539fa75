import { execFile } from 'node:child_process';
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { allEntities, parseCron, planRetention, say, schemaVersions } from '@holdfast/core/server';
import sqlite from '@holdfast/storage-sqlite';
import { seeded, writeSource } from './files.mjs';
import { checks, drills, hosts, passphrase, repositories, schedules, zone } from './world.mjs';

const [second, minute, hour] = [1_000, 60_000, 3_600_000];
const day = 24 * hour;
const yearDays = 364;
const quiet = () => {};
const log = { debug: quiet, info: quiet, warn: quiet, error: quiet, child: () => log };
const tables = Object.fromEntries(allEntities.map((entity) => [entity.name, entity]));
/** The tables that are written anew. */
const written =
  'job job_log slot archive drill drill_result drill_standing repository_sample event delivery protection_state incident';
/** How many days ago a backup failed, by repository; and the nights when the service was off. */
const failures = { Website: [12, 13, 171], Documents: [97], Databases: [201], Photos: [63, 64] };
const nightsOff = [149, 150];

async function openStorage(folder) {
  const configuration = sqlite.configuration.parse({ file: join(folder, 'data', 'holdfast.db') });
  const storage = await sqlite.create({ configuration, log });
  await storage.start({ schema: schemaVersions, stillWorking: quiet });
  return storage;
}

/** Borg knows how long it took to make the archives here; they get the durations of their jobs again. */
export async function writeDurations(folder) {
  const storage = await openStorage(folder);
  const jobs = new Map((await storage.find(tables.job, {})).map((job) => [job.id, job]));
  for (const { id, start, job_id } of await storage.find(tables.archive, {})) {
    const { started_at, completed_at } = jobs.get(job_id);
    await storage.update(tables.archive, { id }, { end: start + completed_at - started_at });
  }
  await storage.stop();
}

/** Moves what the service did once into the past, as often as it would have: with the service stopped. */
export async function writeYear({ folder, env, now }) {
  const storage = await openStorage(folder);
  const find = (name, where) => storage.find(tables[name], where ? { where } : {});
  const year = new Year({ folder, env, now, rows: await templates(find) });
  year.plan();
  await Promise.all(year.states.map((state) => year.makeArchives(state)));
  await storage.transaction((session) => year.write(session));
  await storage.stop();
}

async function templates(find) {
  const rows = {};
  for (const name of ['repository', 'job', 'job_log', 'slot', 'archive', 'drill', 'drill_result', 'schedule'])
    rows[name] = await find(name);
  const [installation] = await find('setting', { key: 'installation' });
  return { ...rows, installation: installation.value };
}

class Year {
  constructor({ folder, env, now, rows }) {
    Object.assign(this, { folder, env, now, rows });
    this.random = seeded(20);
    this.tasks = [];
    this.states = repositories.map((each, n) => ({
      ...each,
      id: n + 1,
      row: rows.repository.find(({ id }) => id === n + 1),
      archives: [],
    }));
  }

  ago = (at) => Math.floor((this.now - at) / day);
  share = (at) => Math.max(0, 1 - (this.now - at) / (yearDays * day));
  hex = (bytes) =>
    Array.from({ length: bytes * 2 }, () => Math.floor(this.random() * 16).toString(16)).join('');
  between = (low, high) => Math.round(low + this.random() * (high - low));

  /** What was planned and made, in the order of time. */
  plan() {
    for (const schedule of schedules) this.#planSchedule(schedule);
    const accounting = this.states.find(({ name }) => name === 'Accounting');
    for (let days = 346; days >= 34; days -= 26) {
      const at = this.now - days * day - this.between(0, 4) * hour;
      const archive = this.#archive(accounting, at, null, 21 * second);
      accounting.archives.push(archive);
      const count = accounting.archives.length;
      this.tasks.push({
        at,
        kind: 'backup',
        state: accounting,
        archive,
        count,
        by: 'backup-operator',
        took: 21 * second,
      });
    }
    for (const planned of this.#instants(checks))
      for (const state of this.states) this.#planOne('check', state, planned);
    const days = this.#instants(drills);
    for (const planned of days)
      for (const state of this.states)
        if (state.since < planned)
          this.#planOne('drill', state, planned, state.name === 'Databases' && planned === days.at(-7));
    this.tasks.sort((a, b) => a.at - b.at);
  }

  #planOne(kind, state, planned, failed = false) {
    const took = this.between(8, 40) * second * (state.host ? 30 : 1);
    this.tasks.push({
      at: planned + state.id * minute,
      planned,
      kind,
      state,
      failed,
      took,
      by: `${kind} schedule`,
    });
  }

  #instants(cron) {
    const rule = parseCron(cron, zone);
    const found = [];
    for (let at = rule.next(this.now - yearDays * day); at < this.now - 10 * minute; at = rule.next(at))
      found.push(at);
    return found;
  }

  #planSchedule({ name, cron, daily, weekly, monthly }) {
    const row = this.rows.schedule.find((each) => each.name === name);
    const members = this.states.filter(({ schedule }) => schedule === name);
    for (const planned of this.#instants(cron)) {
      const slot = { planned, row, jobs: [], outcome: 'completed', at: planned + this.between(200, 900) };
      this.tasks.push({ at: planned, kind: 'slot', slot });
      if (nightsOff.includes(this.ago(planned))) {
        slot.outcome = 'missed';
        continue;
      }
      let at = slot.at;
      for (const state of members) {
        const took = state.host ? this.between(9, 40) * minute : this.between(25, 70) * 100;
        const failed = failures[state.name]?.includes(this.ago(planned)) ?? false;
        const task = { at, kind: 'backup', state, slot, by: name, took, failed };
        if (failed) slot.outcome = 'failed';
        this.tasks.push(task);
        at += took + second;
        if (failed) continue;
        task.archive = this.#archive(state, task.at + second, row, took);
        const all = [...state.archives, task.archive];
        const plan = planRetention(all, { daily, weekly, monthly, timeZone: zone, zone });
        state.archives = plan.kept.map(({ archive }) => archive).sort((a, b) => a.start - b.start);
        task.count = state.archives.length;
        const told = {
          plan: plan.kept.map(({ archive, reason }) => ({
            name: archive.name,
            start: archive.start,
            rule: reason,
          })),
          removed: plan.removed.map(({ name }) => name),
        };
        told.plan.push(
          ...plan.removed.map((archive) => ({ name: archive.name, start: archive.start, rule: null })),
        );
        this.tasks.push({ at, kind: 'prune', state, slot, by: name, took: 4 * second, told });
        if (row.run_compact_after)
          this.tasks.push({
            at: at + 5 * second,
            kind: 'compact',
            state,
            slot,
            by: name,
            took: 3 * second,
            count: task.count,
            told: { freedBytes: this.between(2, 900) * 1_000 },
          });
        at += 10 * second;
      }
      slot.ended = at;
    }
  }

  #archive(state, at, schedule, took) {
    const start = Math.floor(at / second) * second;
    const now = localTime(start);
    const name = schedule ? `${state.name.replaceAll(' ', '-')}-${now}` : `manual-backup-${now}`;
    const job = this.hex(12);
    state.since ??= at;
    const comment = `holdfast:2:${this.rows.installation}:${schedule?.uid ?? '-'}:${job}`;
    return {
      id: this.hex(32),
      name,
      start,
      end: start + Math.round(took / second) * second,
      job,
      comment,
      schedule,
    };
  }

  /** The archives that are left, by borg itself; those on hosts that do not exist only have their figures. */
  async makeArchives(state) {
    const { path } = state.row;
    if (state.host) {
      for (const archive of state.archives) archive.stats = this.#statsAt(state, archive.start);
      for (const gone of [path, join(this.folder, 'files', state.source)]) rmSync(gone, { recursive: true });
      return;
    }
    const borg = (...words) => promisify(execFile)('borg', words, { env: this.env });
    const first = this.rows.archive.find(({ repository_id }) => repository_id === state.id);
    if (first) await borg('delete', `${path}::${first.name}`);
    const source = join(this.folder, 'files', state.source);
    for (const [turn, archive] of state.archives.entries()) {
      const { start, name, comment } = archive;
      writeSource(source, state.source, { share: this.share(start), at: start, turn: turn + 1 });
      const about = ['--timestamp', new Date(start).toISOString().slice(0, 19), '--comment', comment];
      const { stdout } = await borg('create', '--json', ...about, `${path}::${name}`, source);
      const { id, stats } = JSON.parse(stdout).archive;
      const { original_size: originalSize, compressed_size: compressedSize } = stats;
      const { deduplicated_size: deduplicatedSize, nfiles: files } = stats;
      Object.assign(archive, {
        id,
        stats: { originalSize, compressedSize, deduplicatedSize, files },
      });
    }
    await borg('compact', path);
    state.size = sizeOf(path);
  }

  /** Between those of the archives that are left. */
  #statsAt({ archives, host, size, files }, at) {
    const share = this.share(at);
    if (host) {
      const originalSize = Math.round(size * 1.04 * (0.7 + 0.3 * share));
      const deduplicatedSize = Math.round(size * (0.0004 + this.random() * 0.0012));
      return {
        originalSize,
        compressedSize: Math.round(originalSize * 0.97),
        deduplicatedSize,
        files: Math.round(files * (0.7 + 0.3 * share)),
      };
    }
    const next = archives.find(({ start }) => start >= at) ?? archives.at(-1);
    const last = archives.findLast(({ start }) => start <= at) ?? next;
    const part = next === last ? 0 : (at - last.start) / (next.start - last.start);
    const mix = (key) => Math.round(last.stats[key] + (next.stats[key] - last.stats[key]) * part);
    return {
      originalSize: mix('originalSize'),
      compressedSize: mix('compressedSize'),
      deduplicatedSize: Math.round(archives.at(-1).stats.deduplicatedSize * (0.6 + this.random() * 0.5)),
      files: mix('files'),
    };
  }

  async write(session) {
    for (const name of written.split(' ')) await session.remove(tables[name], {});
    this.insert = (name, row) => session.insert(tables[name], row);
    this.update = (name, where, row) => session.update(tables[name], where, row);
    for (const task of this.tasks) {
      if (task.kind === 'slot') await this.#writeSlot(task.slot);
      else await this.#writeJob(task);
    }
    for (const { slot } of this.tasks.filter(({ kind }) => kind === 'slot'))
      await this.update('slot', { id: slot.id }, { job_ids: slot.jobs });
    for (const state of this.states) await this.#writeState(state);
    await this.#writeOthers();
    await this.#writeIncidents();
  }

  async #writeSlot(slot) {
    const { planned: planned_at, row, outcome, at: started_at, ended: completed_at } = slot;
    const missed = outcome === 'missed';
    const text = 'Missed while Holdfast was down.';
    const { id } = await this.insert('slot', {
      schedule_id: row.id,
      planned_at,
      trigger: 'schedule',
      outcome,
      job_ids: [],
      count: 1,
      ...(missed
        ? { reason: text, reason_code: 'run_missed', reason_params: {} }
        : { started_at, completed_at, late_ms: started_at - planned_at }),
    });
    slot.id = id;
    if (!missed)
      Object.assign(row, {
        last_planned: planned_at,
        last_late_ms: started_at - planned_at,
        last_run: started_at,
      });
  }

  async #writeJob(task) {
    const { kind, state, slot, by, at, took, archive, failed } = task;
    const { id: templateId, uid: _uid, ...template } = this.#templateOf(kind, state);
    const ended = at + took;
    const stats = archive ? (archive.stats ?? this.#statsAt(state, at)) : null;
    const stored = this.#storedAt(state, at);
    const path = this.#sourceOf(state);
    const outcome = { ...template.outcome, ...task.told };
    if (stats) {
      const { id, name, start, comment } = archive;
      Object.assign(outcome, {
        archive: { ...template.outcome.archive, id, name, start, end: archive.end, comment },
        stats,
        repositoryStoredSize: stored,
        sources: [path],
        filled: [path],
      });
    }
    if (outcome.space && !state.host) outcome.space = { ...outcome.space, free: this.#freeAt(at) };
    const lines = failed ? [] : this.rows.job_log.filter(({ job_id }) => job_id === templateId);
    const isDrill = kind === 'drill';
    const row = await this.insert('job', {
      ...template,
      uid: archive?.job ?? this.hex(12),
      log_lines: lines.reduce((sum, { line_count }) => sum + line_count, 0),
      repository_id: state.id,
      repository_name: state.name,
      repository_path: this.#pathOf(state),
      status: failed ? 'failed' : 'completed',
      schedule_id: slot?.row.id ?? null,
      slot_id: kind === 'backup' ? (slot?.id ?? null) : null,
      requested_by: by,
      requested_at: slot?.at ?? at,
      started_at: at,
      completed_at: ended,
      parameters: {
        ...template.parameters,
        ...(kind === 'backup' &&
          slot && { schedule: { ...template.parameters.schedule, plannedAt: slot.planned } }),
        ...(task.planned && { plannedAt: task.planned }),
      },
      progress: {
        ...template.progress,
        ...stats,
        ...(stats && { expectedSize: stats.originalSize, speed: 24 }),
      },
      outcome: failed && !isDrill ? null : isDrill ? this.#drillOutcome(task, outcome) : outcome,
      ...(failed &&
        !isDrill &&
        columnsOf(
          say`sources_absent: None of the source directories exists: ${{ sources: [path] }}. Mount or create them, or correct the list in the repository.`,
        )),
      maintenance_status: slot && kind === 'backup' && !failed ? 'maintenance_completed' : null,
    });
    if (kind === 'backup') slot?.jobs.push(row.id);
    if (archive) archive.jobId = row.id;
    await this.#writeLog(row, { template: { ...template, id: templateId }, lines, state, archive });
    if (isDrill) await this.#writeDrill(row, task, templateId);
    if (!failed && ['backup', 'compact'].includes(kind)) {
      await this.insert('repository_sample', {
        repository_id: state.id,
        at: ended,
        job_id: row.id,
        kind,
        took,
        size: stored,
        archive_count: task.count,
        free: state.host ? null : this.#freeAt(at),
        original_size: stats?.originalSize ?? null,
        added_size: stats?.deduplicatedSize ?? null,
      });
    }
    state[`last_${kind}`] = failed ? state[`last_${kind}`] : ended;
    if (kind === 'prune' && slot) slot.row.last_prune = ended;
    if (kind === 'compact' && slot) slot.row.last_compact = ended;
  }

  /** Of this repository, or of any. */
  #templateOf(kind, { id }) {
    const ofKind = this.rows.job.filter((row) => row.kind === kind);
    return ofKind.find(({ repository_id }) => repository_id === id) ?? ofKind[0];
  }

  #pathOf = ({ host, source, row }) => {
    const { username } = hosts.find((each) => each.host === host) ?? {};
    return host ? `ssh://${username}@${host}:22/srv/backups/${source}` : row.path;
  };

  /** The files on other hosts are not here: the disk that they come from is not mounted. */
  #sourceOf = ({ host, source }) => (host ? `/mnt/${source}` : join(this.folder, 'files', source));

  #storedAt = ({ size }, at) => Math.round(size * (0.66 + 0.34 * this.share(at)));

  #freeAt(at) {
    const local = this.states.filter(({ host }) => !host);
    const grown = local.reduce((sum, state) => sum + state.size - this.#storedAt(state, at), 0);
    return this.states[0].row.place_free + grown;
  }

  async #writeLog(job, { template, lines, state, archive }) {
    const before = template.outcome.archive?.name;
    const from = join(this.folder, 'files', this.states[template.repository_id - 1].source);
    const then = (at) =>
      new Date(
        Math.min(Date.parse(at) - template.started_at + job.started_at, job.completed_at),
      ).toISOString();
    for (const { id: _id, content, ...line } of lines) {
      const named = (before && archive ? content.replaceAll(before, archive.name) : content).replaceAll(
        from,
        this.#sourceOf(state),
      );
      await this.insert('job_log', {
        ...line,
        job_id: job.id,
        content: named.replace(/\d{4}(-\d\d){2}T[\d:]{8}\.\d+Z/g, then),
      });
    }
  }

  /** Of the newest archive at that time. */
  #drillOutcome(task, outcome) {
    const { state, at, failed } = task;
    const made = this.tasks.filter(
      ({ kind, state: of, at: when, archive }) => kind === 'backup' && of === state && when < at && archive,
    );
    const { archive } = made.at(-1);
    const { id: toolId, name, start } = archive;
    const { originalSize, files } = archive.stats ?? this.#statsAt(state, start);
    const bytes = state.host ? originalSize : outcome.coverage.bytes;
    const whole = {
      archiveFiles: files,
      archiveBytes: bytes,
      coveragePercent: Math.floor((100 * outcome.coverage.bytes) / bytes),
    };
    task.error = failed
      ? say`drill_files_failed: ${{ count: 1 }} of ${{ examined: outcome.figures.restoredFiles }} files of ${{ archive: name }} were not restored as they were saved: ${{ paths: [this.#firstPath(task.state)] }}. The drill's evidence lists all of them. Check the repository; back up again after a repair.`
      : null;
    const figures = { ...outcome.figures, ...(state.host && whole), ...(failed && { failedFiles: 1 }) };
    const error = task.error && { code: task.error.code, params: task.error.params, text: task.error.text };
    return {
      ...outcome,
      archive: { name, toolId, start },
      figures,
      verdict: failed ? 'failed' : 'passed',
      error,
      coverage: { bytes, passed: [{ at: at + task.took, bytes: outcome.coverage.bytes }] },
    };
  }

  #firstPath(state) {
    const { id } = this.#templateOf('drill', state);
    return this.rows.drill_result.find(({ job_id }) => job_id === id).entries[0].path;
  }

  async #writeDrill(job, { state, planned, failed, error }, templateId) {
    const { id: _id, ...template } = this.rows.drill.find(({ job_id }) => job_id === templateId);
    const { archive, coverage, figures } = job.outcome;
    const { id } = await this.insert('drill', {
      ...template,
      job_id: job.id,
      status: job.status,
      verdict: job.outcome.verdict,
      requested_by: job.requested_by,
      planned_at: planned,
      started_at: job.started_at,
      ended_at: job.completed_at,
      archive_name: archive.name,
      archive_tool_id: archive.toolId,
      archive_start: archive.start,
      archive_files: figures.archiveFiles,
      archive_bytes: figures.archiveBytes,
      coverage_percent: figures.coveragePercent,
      failed_files: failed ? 1 : 0,
      ...(error && columnsOf(error)),
    });
    if (error) await this.update('job', { id: job.id }, columnsOf(error));
    for (const { id: _result, entries, ...result } of this.rows.drill_result.filter(
      ({ job_id }) => job_id === templateId,
    )) {
      const judged = entries.map((entry, n) => ({
        ...entry,
        path: entry.path.replace(
          join(this.folder, 'files', state.source).slice(1),
          this.#sourceOf(state).slice(1),
        ),
        mtime: archive.start - hour,
        ...(failed && n === 0 && { verdict: 'failed', reason: changed }),
      }));
      await this.insert('drill_result', { ...result, job_id: job.id, at: job.completed_at, entries: judged });
    }
    if (!failed)
      state.passed = {
        passed_at: job.completed_at,
        passed_drill_id: id,
        passed_files: template.restored_files,
        coverage,
      };
  }

  async #writeState(state) {
    const { id, host, size, archives } = state;
    for (const archive of archives) {
      const [{ id: _id, ...template }] = this.rows.archive;
      const { stats, name, start, comment, jobId: job_id, id: tool_id, schedule } = archive;
      await this.insert('archive', {
        ...template,
        repository_id: id,
        tool_id,
        name,
        start,
        end: archive.end,
        comment,
        job_id,
        schedule_id: schedule?.id ?? null,
        original_size: stats.originalSize,
        compressed_size: stats.compressedSize,
        deduplicated_size: stats.deduplicatedSize,
        files: stats.files,
        seen_at: state.last_backup,
      });
    }
    const connection = hosts.findIndex((each) => each.host === host) + 1;
    const created_at = this.now - (yearDays + 2) * day;
    await this.update(
      'repository',
      { id },
      {
        created_at,
        updated_at: created_at,
        archive_count: archives.length,
        stored_size: size,
        last_backup: archives.at(-1).start,
        last_check: state.last_check ?? null,
        last_compact: state.last_compact ?? null,
        inventory_at: state.schedule && !host ? state.last_prune : this.now - 5 * hour,
        ...(host && {
          path: this.#pathOf(state),
          source_directories: [this.#sourceOf(state)],
          connection_id: connection,
          place_free: null,
          place_total: null,
          place_at: null,
        }),
      },
    );
    if (state.passed)
      await this.insert('drill_standing', { repository_id: id, failed_files: false, ...state.passed });
    await this.insert('protection_state', {
      repository_id: id,
      state: state.name === 'Accounting' ? 'late' : 'protected',
      damaged: false,
      changed_at: created_at,
    });
  }

  async #writeOthers() {
    const created_at = this.now - (yearDays + 2) * day;
    for (const { id, last_run, last_planned, last_late_ms, last_prune, last_compact } of this.rows.schedule)
      await this.update(
        'schedule',
        { id },
        {
          last_run,
          last_planned,
          last_late_ms,
          last_prune,
          last_compact,
          created_at,
          updated_at: created_at,
        },
      );
    await this.update('user', {}, { created_at });
    for (const name of ['source_set', 'notification_setting', 'ssh_key'])
      await this.update(name, {}, { created_at, updated_at: created_at });
    for (const [n, { total, used }] of hosts.entries()) {
      const tested = this.now - (n + 2) * hour;
      const blob = Buffer.concat([
        Buffer.from('0000000b', 'hex'),
        Buffer.from('ssh-ed25519'),
        Buffer.from('00000020', 'hex'),
        Buffer.from(this.hex(32), 'hex'),
      ]);
      await this.update(
        'ssh_connection',
        { id: n + 1 },
        {
          status: 'connected',
          last_test: tested,
          last_success: tested,
          error_message: null,
          error_code: null,
          error_params: null,
          allows: 'commands',
          created_at,
          updated_at: created_at,
          host_key: `ssh-ed25519 ${blob.toString('base64')}`,
          storage: {
            total,
            used: total * used,
            available: total * (1 - used),
            percentUsed: Math.round(used * 100),
            checkedAt: tested,
          },
        },
      );
    }
  }

  /** One that is over, and one that is open. */
  async #writeIncidents() {
    const [website, accounting] = ['Website', 'Accounting'].map((name) =>
      this.states.find((each) => each.name === name),
    );
    const tasks = this.tasks.filter(({ kind, state }) => kind === 'backup' && state === website);
    const before = tasks.findLast(({ at, failed }) => !failed && this.ago(at) >= 13);
    const after = tasks.find(({ at, failed }) => !failed && at > before.at);
    await this.#incident(website, { newest: before.archive.start, hours: 26, after });
    await this.#incident(accounting, {
      newest: accounting.archives.at(-1).start,
      hours: accounting.freshness_hours,
    });
  }

  async #incident({ id, name }, { newest, hours, after }) {
    const since = newest + hours * hour;
    const message = say`incident_late: ${{ repository: name }} was last backed up on ${{ newest_archive: new Date(newest).toISOString() }}, more than ${{ promised_hours: hours }} h ago.`;
    const over =
      after &&
      say`incident_over_late: There is an archive from ${{ newest_archive: new Date(after.archive.start).toISOString() }}.`;
    const thread = `late:repository:${id}`;
    const row = await this.insert('incident', {
      thread,
      open_thread: after ? null : thread,
      is_open: !after,
      cause: 'late',
      object_kind: 'repository',
      object_id: id,
      object_name: name,
      repository_id: id,
      opened_at: since + minute,
      since,
      code: message.code,
      params: message.params,
      sentence: message.text,
      jobs_after: 0,
      ...(over && {
        recovered_at: after.at + after.took + minute,
        recovery_code: over.code,
        recovery_params: over.params,
        recovery: over.text,
      }),
    });
    const about = {
      incident_id: row.id,
      cause: 'late',
      code: row.code,
      params: row.params,
      sentence: row.sentence,
      object_kind: 'repository',
      object_id: id,
      object_name: name,
      repository_id: id,
      repository_ids: [id],
      opened_at: new Date(row.opened_at).toISOString(),
      repository_name: name,
      repository_path: this.states[id - 1].row.path,
    };
    await this.#message(row, 'backup_late', { ...about, error_message: row.sentence }, row.opened_at);
    if (over)
      await this.#message(row, 'backup_on_time_again', { ...about, recovery: over.text }, row.recovered_at);
  }

  async #message({ id, repository_id }, kind, data, at) {
    const event = await this.insert('event', { kind, at, repository_id, data });
    await this.insert('delivery', {
      message_id: this.hex(16),
      setting_id: 1,
      event_id: event.id,
      repository_id,
      first_at: at,
      status: 'delivered',
      attempts: 1,
      next_attempt_at: at,
      queued_at: at,
      created_at: at,
      ended_at: at + 2 * second,
      incident_id: id,
    });
    await this.update('notification_setting', { id: 1 }, { last_used_at: at + 2 * second });
  }
}

const columnsOf = ({ code, params, text }) => ({
  error_message: text,
  error_code: code,
  error_params: params,
});

const { code, params, text } =
  say`drill_differs_from_source: Its content differs from the source, which has the same size and time and has not changed since the backup.`;
const changed = { code, params, text };

/** `2026-03-01T02:00:00` in the zone of the schedules. */
const localTime = (at) => new Date(at).toLocaleString('sv-SE', { timeZone: zone }).replace(' ', 'T');

const sizeOf = (folder) =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath ?? entry.path, entry.name)).size, 0);

export const borgEnvironment = (folder, path) => ({
  PATH: path,
  HOME: join(folder, 'home'),
  BORG_BASE_DIR: join(folder, 'borg'),
  BORG_PASSPHRASE: passphrase,
  BORG_UNKNOWN_UNENCRYPTED_REPO_ACCESS_IS_OK: 'yes',
  BORG_RELOCATED_REPO_ACCESS_IS_OK: 'yes',
  TZ: 'UTC',
});
