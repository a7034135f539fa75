import { mkdirSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { currentNiceness, exportBare } from '../bare-borg.mjs';
import { repositoryOf } from '../listing-archives.mjs';
import { passphrase, peakMemory, residentMemory, signIn, startService } from '../service.mjs';
import { settings } from '../settings.mjs';
import { median, megabytes, ratio, seconds } from '../statistics.mjs';
import { settled } from './browse.mjs';

const archive = 'archive-00';

/** A folder of very many small files: as tar through the service and from bare borg in turn, and as zip. */
export async function download({ folder, say }) {
  const files = settings.downloadEntries;
  const place = await repositoryOf({ files, archives: 1, say });
  const dataDirectory = join(folder, 'download');
  mkdirSync(dataDirectory);
  const service = await startService(dataDirectory);
  try {
    const api = await signIn(service.url);
    const import_ = { name: 'download', path: place.repository, passphrase, mode: 'observe' };
    await api.post('/api/repositories/import', import_);
    // A person has browsed the archive before choosing a folder.
    await api.get(`/api/archives/${archive}/contents?repository_id=1&path=`);
    await settled(api);
    const path = (format) =>
      `/api/archives/download?repository_id=1&archive=${archive}&file_path=data&format=${format}`;
    const through = (format) => readAll(service.url + path(format), api.headers);
    const idle = residentMemory(service.pid);
    const asked = { repository: place.repository, archive, path: 'data' };
    const first = through('tar');
    const niceness = await currentNiceness(place.repository);
    await first;
    const bare = () => exportBare(place.base, { ...asked, niceness });
    const ratios = [];
    let peak = 0;
    for (let pair = 0; pair < settings.pairs; pair++) {
      const measured = {};
      const service_ = async () => {
        peak = Math.max(
          peak,
          await peakMemory(
            service,
            through('tar').then((tar) => (measured.tar = tar)),
          ),
        );
      };
      const steps = [service_, async () => (measured.bare = await bare())];
      for (const step of pair % 2 ? steps.reverse() : steps) await step();
      const { tar, bare: plain } = measured;
      if (tar.bytes !== plain.bytes) throw new Error(`${tar.bytes} bytes instead of ${plain.bytes}`);
      say(`tar, pair ${pair + 1}: ${seconds(tar.ms)}, bare borg ${seconds(plain.ms)}`);
      ratios.push(tar.ms / plain.ms);
    }
    const forZip = await peakMemory(
      service,
      through('zip').then(({ ms }) => say(`zip: ${seconds(ms)}`)),
    );
    const what = `a folder of ${files} small files`;
    return [
      row(`download of ${what} as tar ÷ bare borg export-tar, median of ${settings.pairs} pairs`, {
        ...{ value: median(ratios), limit: 1.15, show: ratio },
      }),
      row('resident memory above idle meanwhile', { value: peak - idle, limit: 60e6, show: megabytes }),
      row(`resident memory above idle, ${what} as zip`, {
        value: forZip - idle,
        limit: 60e6,
        show: megabytes,
      }),
    ];
  } finally {
    await service.stop();
  }
}

const row = (what, { value, limit, show }) => ({
  ...{ what, measured: show(value), limit: show(limit), passed: value <= limit },
});

function readAll(url, headers) {
  const began = performance.now();
  return new Promise((resolve, reject) => {
    const request = get(url, { headers, agent: false }, (answer) => {
      let bytes = 0;
      answer.on('data', (piece) => {
        bytes += piece.length;
      });
      answer.on('error', reject);
      answer.on('end', () => {
        if (answer.statusCode === 200) resolve({ bytes, ms: performance.now() - began });
        else reject(new Error(`GET ${url}: ${answer.statusCode}`));
      });
    });
    request.on('error', reject);
  });
}
