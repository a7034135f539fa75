import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { archived } from '../actions.js';
import type { Answer } from '../api.js';
import type { World } from '../invariants/world.js';
import { contentOnly, snapshot } from '../restore.js';
import { makeFiles } from '../trees.js';
import type { Scene } from './scene.js';

/** A kind of job, and how to bring one about. */
export interface Kind {
  name: string;
  /** Once for a service. */
  setUp?(scene: Scene): Promise<void>;
  /** Before each one. Resolves to the request that starts it. */
  prepare(scene: Scene): Promise<() => Promise<Answer>>;
  /** What is wrong with what the job was about, a sentence each. */
  judge?(scene: Scene, world: World): string[];
  /** What does not hold for this kind even without a fault. */
  ignores?: RegExp;
}

const of = ({ repository }: Scene, what: string) => `/api/repositories/${repository.id}/${what}`;
const oneDaily = { keep_daily: 1, keep_weekly: 0, keep_monthly: 0, keep_yearly: 0 };

async function scheduleWithAll({ api, repository }: Scene): Promise<void> {
  const script = await api.post('/api/scripts', { name: 'nothing', content: 'true' });
  const hooks = { pre_backup_script: 'true', post_backup_script: 'true' };
  const changed = await api.put(`/api/repositories/${repository.id}`, hooks);
  const made = await api.post('/api/schedule/', {
    name: 'all',
    cron_expression: '0 0 1 1 *',
    repository_ids: [repository.id],
    run_repository_scripts: true,
    run_prune_after: true,
    run_compact_after: true,
    prune_keep_daily: 1,
    prune_keep_weekly: 0,
    prune_keep_monthly: 0,
    prune_keep_yearly: 0,
    pre_backup_script_id: script.body.id,
    post_backup_script_id: script.body.id,
  });
  const codes = [script.status, changed.status, made.status];
  if (`${codes}` !== '201,200,201') throw new Error(`the schedule was answered by ${codes} ${made.text}`);
}

const restored = (scene: Scene) => scene.workspace.folder('restored');
/** As many as in the archive, and of the same names: what is not in it stays at a restore. */
const oldFiles = 3;

/** What a restore may leave: all as it was, or all as in the archive. */
function judgeRestore(scene: Scene, { jobs }: World): string[] {
  const target = join(restored(scene), archived(scene.source));
  const found = `${snapshot(target).map(contentOnly)}`;
  const old = scene.workspace.folder('old');
  makeFiles(old, oldFiles, 5);
  const job = jobs.findLast(({ id, kind }) => kind === 'restore' && id > scene.lastJob);
  const isComplete = job?.status.startsWith('completed') ?? false;
  const wanted = `${snapshot(isComplete ? scene.source : old).map(contentOnly)}`;
  return found === wanted ? [] : [`after restore ${job?.id} (${job?.status}) the target has ${found}`];
}

/** Nothing of what it restored is left, and whatever it says of the repository is true: that is whole. */
function judgeDrill(scene: Scene, { jobs }: World): string[] {
  const scratch = join(scene.dataDirectory, 'drills');
  const left = existsSync(scratch) ? readdirSync(scratch) : [];
  const job = jobs.findLast(({ id, kind }) => kind === 'drill' && id > scene.lastJob);
  const isTrue = !job || job.status === 'completed' || /^Interrupted/.test(job.error_message ?? '');
  return [
    ...left.map((name) => `after drill ${job?.id} (${job?.status}) its scratch folder ${name} is left`),
    ...(isTrue ? [] : [`drill ${job?.id} of a whole repository ${job?.status}: ${job?.error_message}`]),
  ];
}

/** Each archive is there under its name alone: a signing that was cut off has gone on. */
function judgeSigning({ unsigned, lastJob }: Scene, { jobs, repositories }: World): string[] {
  const names = repositories.flatMap(({ archives }) => archives.map(({ name }) => name));
  const failed = jobs.filter(({ id, status }) => id > lastJob && status !== 'completed');
  return [
    ...unsigned.filter((name) => !names.includes(name)).map((name) => `archive ${name} is lost`),
    ...names.filter((name) => name.includes('.signing-')).map((name) => `the copy ${name} is left`),
    ...failed.map(({ id, status }) => `signing ${id} ${status}`),
  ];
}

/** Either it was changed, and the job says so, or it was not. The next backup shows whether the service opens it. */
function judgePassphrase(scene: Scene, { jobs }: World): string[] {
  const job = jobs.findLast(({ id, kind }) => kind === 'passphrase_change' && id > scene.lastJob);
  const isNew = scene.passphrase === scene.passphrases.at(-1);
  if (!isNew) scene.passphrases.pop();
  return (job?.status === 'completed') === isNew
    ? []
    : [
        `change ${job?.id} ${job?.status} (${job?.error_message}), but the new passphrase ${isNew ? 'opens' : 'does not open'} it`,
      ];
}

export const kinds: Kind[] = [
  {
    name: 'backup',
    prepare:
      async ({ api, repository }) =>
      () =>
        api.post('/api/backup/start', { repository: repository.path }),
  },
  {
    name: 'self-backup',
    setUp: (scene) => scene.makeOwn(),
    prepare:
      async ({ api, repository }) =>
      () =>
        api.post('/api/backup/start', { repository: repository.path }),
    judge: (scene) => scene.scratch().map((name) => `the copy ${name} of the service stays`),
  },
  {
    name: 'archive deletion',
    async prepare(scene) {
      const [oldest] = await scene.severalArchives();
      const { path } = scene.repository;
      return () => scene.api.delete(`/api/archives/${oldest?.name}`, { repository: path });
    },
  },
  {
    name: 'prune',
    async prepare(scene) {
      await scene.severalArchives();
      return () => scene.api.post(of(scene, 'prune'), { ...oneDaily, confirm_more_than_half: true });
    },
  },
  { name: 'compact', prepare: async (scene) => () => scene.api.post(of(scene, 'compact')) },
  { name: 'check', prepare: async (scene) => () => scene.api.post(of(scene, 'check')) },
  {
    name: 'signing of archives',
    async prepare(scene) {
      await scene.addUnsigned();
      return () => scene.api.post(of(scene, 'sign-archives'));
    },
    judge: judgeSigning,
    // Nobody is told of its success, and no job made these archives.
    ignores: /check job \d+ \(completed\) was told 0 times|: renamed-\d+ in .* is of job null/,
  },
  {
    name: 'change of the passphrase',
    async prepare(scene) {
      const next = `a passphrase ${scene.passphrases.length} of ${scene.lastJob}`;
      return () => {
        scene.passphrases.push(next);
        return scene.api.post(of(scene, 'change-passphrase'), { passphrase: next });
      };
    },
    judge: judgePassphrase,
  },
  {
    name: 'drill',
    prepare: async (scene) => () => scene.api.post(of(scene, 'drill')),
    judge: judgeDrill,
  },
  {
    name: 'restore',
    async prepare(scene) {
      rmSync(restored(scene), { recursive: true });
      makeFiles(scene.workspace.folder('restored', archived(scene.source)), oldFiles, 5);
      const archive = (await scene.archives()).at(-1)?.name;
      const { path } = scene.repository;
      const asked = { repository: path, archive, destination: restored(scene), overwrite: true };
      return () => scene.api.post('/api/restore/start', asked);
    },
    judge: judgeRestore,
  },
  {
    name: 'run of a schedule with hooks, prune and compact',
    setUp: scheduleWithAll,
    prepare:
      async ({ api }) =>
      () =>
        api.post('/api/schedule/1/run-now'),
  },
];
