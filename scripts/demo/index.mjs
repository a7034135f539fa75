import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { delimiter, join } from 'node:path';
import { signIn, startService } from '../../bench/service.mjs';
import { root } from '../prepare/root.mjs';
import { PrepareError } from '../prepare/say.mjs';
import { pathOfLeanBorg } from '../services/lean-borg.mjs';
import { finishWorld, makeWorld } from './world.mjs';
import { borgEnvironment, writeDurations, writeYear } from './year.mjs';

export const username = 'admin';
export const password = 'try out holdfast';
const preload = new URL('./offline.mjs', import.meta.url).href;

/**
 * The demo in that folder, made first if it is not there. Everything it writes is in the folder. Its messages go to
 * `heard`, each service to `started`; `stop` ends everything. Throws when the folder has something else in it.
 */
export async function startDemo({
  folder,
  port = 0,
  fresh = false,
  heard = () => {},
  say = () => {},
  started = () => {},
}) {
  const marker = join(folder, 'demo.json');
  const known = existsSync(marker) ? JSON.parse(readFileSync(marker, 'utf8')) : null;
  if (!known && existsSync(folder) && readdirSync(folder).length > 0)
    throw new PrepareError(`${folder} is not empty, and holds no demo: name another folder with --folder.`);
  if (known && (fresh || !known.complete)) rmSync(folder, { recursive: true });
  for (const name of ['data', 'home', 'bin', 'tmp']) mkdirSync(join(folder, name), { recursive: true });
  const receiver = await listen(heard, known?.sink);
  const env = await environment(folder);
  const start = async (PORT) => {
    const service = await startService(join(folder, 'data'), { preload, env: { ...env, PORT: `${PORT}` } });
    started(service);
    return service;
  };
  try {
    if (fresh || !known?.complete) {
      writeFileSync(marker, JSON.stringify({ complete: false }));
      await make({ folder, env, start, sink: receiver.address().port, say });
      const service = await start(0);
      await finishWorld(await signIn(service.url, password), folder).finally(service.stop);
      await writeDurations(folder);
      writeFileSync(marker, JSON.stringify({ complete: true, sink: receiver.address().port }));
    }
    const service = await start(port);
    const stop = async () => {
      receiver.close();
      receiver.closeAllConnections();
      await service.stop();
    };
    return { ...service, stop };
  } catch (error) {
    receiver.close();
    throw error;
  }
}

async function make({ folder, env, start, sink, say }) {
  say('Making the demo: about a minute, once.');
  const service = await start(0);
  await makeWorld(await signIn(service.url, password), { folder, sink, now: Date.now() }).finally(
    service.stop,
  );
  say('Writing the year before today.');
  await writeYear({ folder, env: borgEnvironment(folder, env.PATH), now: Date.now() });
  execFileSync(process.execPath, [join(root, 'server', 'dist', 'main.js'), 'rebuild-figures'], {
    env: { ...env, DATA_DIR: join(folder, 'data') },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/** Programs that would leave this machine are replaced. */
async function environment(folder) {
  const bin = join(folder, 'bin');
  for (const name of ['ssh', 'sftp', 'scp', 'ssh-keyscan']) {
    const refusal = `#!/bin/sh\necho '${name}: this demo connects to no other machine' >&2\nexit 255\n`;
    writeFileSync(join(bin, name), refusal, { mode: 0o755 });
  }
  return {
    PATH: `${bin}${delimiter}${await pathOfLeanBorg(bin)}`,
    HOME: join(folder, 'home'),
    TMPDIR: join(folder, 'tmp'),
    INITIAL_ADMIN_PASSWORD: password,
    HOST: '127.0.0.1',
  };
}

/** Receives the messages of the notification channel. A port that is taken by now is given up. */
async function listen(heard, port = 0) {
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (piece) => {
      text += piece;
    });
    request.on('end', () => {
      heard(text);
      response.end();
    });
  });
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  }
  return server;
}
