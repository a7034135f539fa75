import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { definePlugin } from '@holdfast/plugin-api';
import { outputOf } from '@holdfast/plugin-api/source';
import { z } from 'zod';

const field = (name, label, kind, example, help) => ({ name, label, kind, example, help, required: false });

/** The password stands in the environment: arguments can be seen by others. */
const redis = ({ host = '127.0.0.1', port = '6379', password }, ...words) => ({
  argv: ['redis-cli', '-h', host, '-p', port, ...words],
  env: password ? { REDISCLI_AUTH: password } : {},
});

async function ping(settings, host) {
  const answer = await outputOf(host, redis(settings, 'PING'), 'Redis does not answer');
  if (!answer.startsWith('PONG')) throw new Error(`Redis refuses: ${answer.trim()}.`);
}

/** `$1` has `dump.rdb`. Redis ends at once if it can't load it. */
const count = `cd "$1" && redis-server --port 0 --unixsocket s --dbfilename dump.rdb --save '' >log 2>&1 & pid=$!
trap 'kill $pid' EXIT; cd "$1"
until size=$(redis-cli -s s DBSIZE 2>/dev/null) && [ "\${size#LOADING}" = "$size" ]; do kill -0 $pid || exit 1; sleep 0.1; done
echo "$size"`;

const source = {
  title: 'Redis',
  fields: [
    field('host', 'Server', 'text', '127.0.0.1', 'A name or an address. Without it: this machine.'),
    field('port', 'Port', 'number', '6379', 'Usually 6379.'),
    field('password', 'Password', 'secret', 'secret', 'Of the default user.'),
  ],
  async check(settings, { host }) {
    const failed = ({ message: text }) => ({ status: 'failed', text });
    return [await ping(settings, host).then(() => ({ status: 'ok', text: 'Redis answers.' }), failed)];
  },
  async prepare(settings, { host }) {
    await ping(settings, host);
    const open = (signal) => host.open(redis(settings, '--rdb', '-'), signal);
    return { dumps: [{ name: 'dump.rdb', open }] };
  },
  async release() {},
  async prove(_settings, dump, { host, folder }) {
    await pipeline(dump.open(), createWriteStream(join(folder, 'dump.rdb')));
    const { code, stdout } = await host.run({ argv: ['sh', '-c', count, 'sh', folder] });
    if (code !== 0) return { passed: false, text: 'A Redis server could not load the dump.' };
    return { passed: true, text: `A Redis server loaded the dump: ${stdout.trim()} keys.` };
  },
};

export default definePlugin({ kind: 'source', configuration: z.object({}), create: () => source });
