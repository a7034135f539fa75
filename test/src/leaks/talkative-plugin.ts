import { PluginFolder, pluginCode } from '../broken-plugins/packages.js';

/** What a transport may let slip, and where: each a text of its own. */
export interface Slips {
  log: string;
  temporary: string;
  file: string;
  argument: string;
  environment: string;
  error: string;
}

const imports = `
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
`;

/** Each in another encoding: what the service knows to be secret it would hide in plain texts. */
const port = `{
  schemes: ['talkative'],
  async send() {
    const slips = JSON.parse(readFileSync(configuration.slips, 'utf8'));
    log.info('sent with ' + Buffer.from('user:' + slips.log).toString('base64'));
    const file = tmpdir() + '/short-lived';
    writeFileSync(file, slips.temporary);
    mkdirSync(dataFolder, { recursive: true });
    writeFileSync(dataFolder + '/kept.gz', gzipSync('kept: ' + slips.file));
    const programs = [
      spawn('sh', ['-c', 'sleep 0.2; true ' + slips.argument]),
      spawn('sleep', ['0.2'], { env: { PATH: process.env.PATH, PASSWORD: slips.environment } }),
    ];
    await Promise.all(programs.map((program) => once(program, 'exit')));
    rmSync(file);
    throw new Error('refused: ' + Buffer.from(slips.error).toString('hex'));
  },
}`;

/** A transport `talkative://` that says what it should not. Resolves to its folder. */
export const addTalkativePlugin = (folder: string): string =>
  new PluginFolder(folder).add('talkative', {
    code: `${imports}${pluginCode({ port, schema: 'z.object({ slips: z.string() })' })}`,
  });
