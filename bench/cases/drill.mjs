import { createReadStream, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { extractBare, nicenessOfExtract } from '../bare-borg.mjs';
import { backUp, createRepository, signIn, startService } from '../service.mjs';
import { settings } from '../settings.mjs';
import { median, ratio, seconds } from '../statistics.mjs';
import { makeRandomTree } from '../trees.mjs';

const limit = 1.3;

/**
 * A drill of all files of an archive, with the listing, the hashes of what was restored and of its sources, and the
 * evidence, against `borg extract` of the same paths, in turn. Both remove what they restored; of the drill, that counts.
 */
export async function drill({ folder, say }) {
  const [dataDirectory, source, base] = ['drill', 'drill-source', 'drill-base'].map((name) =>
    join(folder, name),
  );
  for (const path of [dataDirectory, source, base]) mkdirSync(path);
  const { files, mebibytes } = { files: 1000, mebibytes: settings.mebibytes };
  say(`making ${mebibytes} MiB in ${files} files`);
  makeRandomTree(source, { files, mebibytes });
  const service = await startService(dataDirectory);
  try {
    const api = await signIn(service.url);
    const repository = join(folder, 'drill-repository');
    await createRepository(api, { name: 'drill', path: repository, source });
    const { archive_name: archive } = await backUp(api, repository);
    await api.put('/api/repositories/1/drill-schedule', { sample_files: files, sample_bytes: 2 ** 40 });
    const paths = readdirSync(source, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(1));
    const [niceness] = await Promise.all([nicenessOfExtract(archive), drilled(api, files)]);
    const bare = () =>
      extractBare(base, { repository, archive, paths, folder: join(folder, 'extracted'), niceness });
    await bare();
    const ratios = [];
    for (let pair = 0; pair < settings.pairs; pair++) {
      const measured = {};
      const steps = [
        async () => (measured.drill = await drilled(api, files)),
        async () => (measured.bare = await bare()),
      ];
      for (const step of pair % 2 ? steps.reverse() : steps) {
        await readAll([source, repository]);
        await step();
      }
      say(`pair ${pair + 1}: drill ${seconds(measured.drill)}, bare borg extract ${seconds(measured.bare)}`);
      ratios.push(measured.drill / measured.bare);
    }
    const value = median(ratios);
    return [
      {
        what: `drill of ${files} files, ${mebibytes} MiB, ÷ bare borg extract of them, median of ${settings.pairs} pairs`,
        ...{ measured: ratio(value), limit: ratio(limit), passed: value <= limit },
      },
    ];
  } finally {
    await service.stop();
  }
}

/** Brings the files into the file cache: some machines take out of it what nobody reads for seconds. */
async function readAll(folders) {
  for (const folder of folders) {
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      for await (const _ of createReadStream(join(entry.parentPath ?? entry.path, entry.name)));
    }
  }
}

/** From the request to the end of the job by its own time, in milliseconds. */
async function drilled(api, files) {
  const began = Date.now();
  const { job_id } = await api.post('/api/repositories/1/drill');
  for (;;) {
    const { job } = await api.get(`/api/jobs/${job_id}`);
    if (job.completed_at !== null) {
      if (job.about.drilled_files !== files)
        throw new Error(`${job.about.drilled_files} files: ${job.error_message}`);
      return Date.parse(job.completed_at) - began;
    }
    await pause(100);
  }
}
