import type { Invariant } from './invariants.js';
import type { JobFact, World } from './world.js';

const isComplete = ({ status }: JobFact) => status.startsWith('completed');

const backupsOf = ({ jobs }: World, path: string) =>
  jobs.filter((job) => job.kind === 'backup' && job.repository_path === path);

/** Names that completed deletions and prunes say they removed. */
function removedFrom({ jobs }: World, path: string): Set<string> {
  const names = jobs
    .filter((job) => job.repository_path === path && isComplete(job))
    .flatMap(({ kind, parameters, outcome }) => {
      if (kind === 'archive_deletion') return [parameters.archive as string];
      return kind === 'prune' ? ((outcome?.removed ?? []) as string[]) : [];
    });
  return new Set(names);
}

/** True when a job that can't tell any more what it did may have removed the archive of this backup. */
function mayBeGone({ jobs }: World, backup: JobFact, name: string): boolean {
  return jobs.some((job) => {
    if (job.repository_path !== backup.repository_path) return false;
    if (job.kind === 'archive_deletion') return job.parameters.archive === name;
    const isUntold = job.kind === 'prune' && job.status !== 'cancelled' && job.outcome?.removed === undefined;
    return isUntold && (job.completed_at ?? 0) > (backup.completed_at ?? 0);
  });
}

const archiveName = ({ outcome }: JobFact) => (outcome?.archive as { name?: string } | undefined)?.name ?? '';

export const archiveInvariants: Invariant[] = [
  {
    name: 'every archive is of a completed backup',
    broken: (world) =>
      world.repositories.flatMap(({ path, archives }) => {
        const made = new Set(
          backupsOf(world, path)
            .filter(isComplete)
            .map(({ id }) => id),
        );
        return archives
          .filter(({ job }) => job === null || !made.has(job))
          .map(({ name, job }) => `${name} in ${path} is of job ${job}, which did not complete`);
      }),
  },
  {
    name: 'every completed backup has one archive, unless it was removed',
    broken: (world) =>
      world.repositories.flatMap(({ path, archives }) => {
        const removed = removedFrom(world, path);
        return backupsOf(world, path)
          .filter(isComplete)
          .flatMap((job) => {
            const count = archives.filter((archive) => archive.job === job.id).length;
            const name = archiveName(job);
            if (count === 1 || (count === 0 && (removed.has(name) || mayBeGone(world, job, name)))) return [];
            return [`backup ${job.id} (${name}) has ${count} archives in ${path}`];
          });
      }),
  },
  {
    name: 'what was removed is gone',
    broken: (world) =>
      world.repositories.flatMap(({ path, archives }) => {
        const removed = removedFrom(world, path);
        return archives
          .filter(({ name }) => removed.has(name))
          .map(({ name }) => `${name} in ${path} is still there`);
      }),
  },
  {
    name: 'the service lists what the tool lists',
    broken: ({ repositories }) =>
      repositories
        .filter(
          ({ archives, listed }) => `${archives.map(({ name }) => name).sort()}` !== `${listed.toSorted()}`,
        )
        .map(
          ({ path, archives, listed }) =>
            `${path} has ${archives.map(({ name }) => name)}, and the service lists ${listed}`,
        ),
  },
  {
    name: 'no backup ran twice',
    broken: ({ jobs, writers }) => {
      if (!writers) return null;
      return jobs
        .filter(({ kind }) => kind === 'backup')
        .flatMap((job) => {
          const begun = writers.filter(({ verb, job: its }) => verb === 'create' && its === job.uid).length;
          const right = isComplete(job) ? begun === 1 : begun <= 1;
          return right ? [] : [`backup ${job.id} (${job.status}) began ${begun} times`];
        });
    },
  },
  {
    name: 'no repository had two writers',
    broken: ({ writers }) => {
      if (!writers) return null;
      return writers
        .filter(({ found }) => found === 'beside')
        .map(
          ({ verb, repository, job }) => `${verb} of job ${job} wrote to ${repository} beside another one`,
        );
    },
  },
];
