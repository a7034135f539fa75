import { execFile, spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { root } from '../import-check.js';
import { TestServer } from '../server.js';
import { makeWorkspace, type Workspace } from '../workspace.js';

const run = promisify(execFile);
const deploy = join(root, 'examples', 'deploy');
const read = (...path: string[]) => readFileSync(join(deploy, ...path), 'utf8');
const dockerfile = read('Dockerfile');
const promtool = process.env.HOLDFAST_PROMTOOL || 'promtool';

let workspace: Workspace;
beforeAll(() => {
  workspace = makeWorkspace();
});
afterAll(() => workspace?.remove());

/** The variables that the image sets, where a test may not listen on all interfaces or write to `/`. */
function imageVariables(): Record<string, string> {
  const line = /^ENV (.*)$/m.exec(dockerfile)?.[1] ?? '';
  const variables = Object.fromEntries(line.split(' ').map((pair) => pair.split('=') as [string, string]));
  expect(Object.keys(variables)).toEqual(['NODE_ENV', 'HOST', 'PORT', 'DATA_DIR']);
  return { NODE_ENV: variables.NODE_ENV ?? '' };
}

test('what the image starts: as a user without rights, healthy by its own check, ended by SIGTERM', async () => {
  const server = await TestServer.start({
    unprivileged: true,
    env: { ...imageVariables(), HOLDFAST_VALIDATE_RESPONSES: undefined },
  });
  try {
    const [program = '', ...parameters] = JSON.parse(
      /HEALTHCHECK[^[]*?\\\n\s+CMD (\[.*\])$/m.exec(dockerfile)?.[1] ?? '[]',
    );
    expect(program).toBe('node');
    const healthy = (port: string) =>
      spawnSync(process.execPath, parameters, { env: { PORT: port }, encoding: 'utf8' }).status;
    expect(healthy(new URL(server.api.baseUrl).port)).toBe(0);
    expect(await server.stop('SIGTERM')).toBe(0);
    expect(healthy(new URL(server.api.baseUrl).port)).toBe(1);
  } finally {
    await server.remove();
  }
});

test('Prometheus takes its configuration, with the files where compose puts them', async () => {
  const folder = workspace.folder('prometheus');
  const token = join(folder, 'metrics_token');
  writeFileSync(token, '0123456789abcdef');
  const text = read('full', 'prometheus.yml').replace('/run/secrets/metrics_token', token);
  expect(text).toContain(token);
  writeFileSync(join(folder, 'prometheus.yml'), text);
  const alerts = /^\s+- (\S+):\/etc\/prometheus\/(holdfast-alerts\.yml):ro$/m.exec(
    read('full', 'compose.yaml'),
  );
  copyFileSync(join(deploy, 'full', alerts?.[1] ?? ''), join(folder, alerts?.[2] ?? ''));
  const { stdout } = await run(promtool, ['check', 'config', join(folder, 'prometheus.yml')]);
  expect(stdout).toContain('SUCCESS');
});

test('systemd takes the unit', () => {
  const unit = join(workspace.folder('systemd'), 'holdfast.service');
  const text = read('systemd', 'holdfast.service');
  // Node may stand elsewhere here.
  writeFileSync(unit, text.replace('/usr/bin/node', process.execPath));
  const { status, stderr, error } = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' });
  // A machine without systemd has nobody to ask: the form is looked at by hand.
  if (error) {
    for (const line of text.split('\n')) expect(line).toMatch(/^(#.*|\[[A-Z][a-z]+\]|[A-Z]\w+=.*|)$/);
    return;
  }
  expect(stderr).not.toContain(unit);
  expect(status).toBe(0);
});
