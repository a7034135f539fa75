import { execFile, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { backUp } from '../actions.js';
import { root } from '../import-check.js';
import { readableEntry } from '../product.js';
import { nobody, TestServer } from '../server.js';
import { waitFor } from '../wait-for.js';
import { makeWorkspace, type Workspace } from '../workspace.js';

const run = promisify(execFile);
const deploy = join(root, 'examples', 'deploy');
const read = (...path: string[]) => readFileSync(join(deploy, ...path), 'utf8');
const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8');
const promtool = process.env.HOLDFAST_PROMTOOL || 'promtool';

let workspace: Workspace;
beforeAll(() => {
  workspace = makeWorkspace();
});
afterAll(() => workspace?.remove());

/** The variables that the image sets, where a test may not listen on all interfaces or write to `/`. */
function imageVariables(): Record<string, string> {
  const line = /^ENV (NODE_ENV.*)$/m.exec(dockerfile)?.[1] ?? '';
  const variables = Object.fromEntries(line.split(' ').map((pair) => pair.split('=') as [string, string]));
  expect(Object.keys(variables)).toEqual(['NODE_ENV', 'HOST', 'PORT', 'DATA_DIR']);
  return { NODE_ENV: variables.NODE_ENV ?? '' };
}

test('runs the image without privileges, reports healthy and ends on SIGTERM', async () => {
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

test.each(['embedded', 'full'])(
  '%s: backs up a home of mode 700 with only that privilege',
  async (folder) => {
    if (process.getuid?.() !== 0) throw new Error('Only root can start it as the container does.');
    const [, granted = ''] = /cap_add: \[(.*)\]/.exec(read(folder, 'compose.yaml')) ?? [];
    const bounding = granted.split(', ').map((name) => `+${name.toLowerCase()}`);
    const container = ['setpriv', `--bounding-set=-all,${bounding.join()}`, '--inh-caps=-all'];
    const script = join(workspace.folder('bin'), 'as-holdfast');
    // The user of the image is not one of this machine.
    writeFileSync(script, read('as-holdfast.sh').replaceAll('=10001', `=${nobody}`));
    const home = workspace.folder(`home-${folder}`);
    writeFileSync(join(home, 'file'), 'private');
    chmodSync(home, 0o700);
    const dataDirectory = workspace.folder(`data-${folder}`);
    const repositories = workspace.folder(`repositories-${folder}`);
    for (const path of [dataDirectory, repositories]) chownSync(path, nobody, nobody);
    const asNobody = ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups'];
    const server = await TestServer.start({
      workspace,
      dataDirectory,
      entry: readableEntry(asNobody, workspace.path),
      wrapper: [...container, 'sh', script],
    });
    try {
      const status = readFileSync(`/proc/${server.pid}/status`, 'utf8');
      expect(status).toMatch(new RegExp(`^Uid:\\s+${nobody}\\s`, 'm'));
      expect(/^CapEff:\s+(\w+)$/m.exec(status)?.[1]).toBe('0000000000000004');
      const api = await server.login();
      const path = join(repositories, 'of-homes');
      const created = await api.post('/api/repositories/', {
        name: 'of homes',
        path,
        encryption: 'none',
        source_directories: [home],
      });
      expect(created.body).toMatchObject({ success: true });
      expect(created.body.warnings).toBeUndefined();
      const job = await backUp(api, path);
      expect([job.status, job.error_message, job.progress_details.nfiles]).toEqual(['completed', null, 1]);
    } finally {
      await server.stop();
      await server.removeStores();
    }
  },
);

test('names unreadable sources at the start and on save without that privilege', async () => {
  const server = await TestServer.start({ unprivileged: true });
  try {
    const home = server.workspace.folder('closed-home');
    const api = await server.login();
    chmodSync(home, process.getuid?.() === 0 ? 0o700 : 0);
    const path = join(server.dataDirectory, 'of-homes');
    const created = await api.post('/api/repositories/', {
      name: 'of homes',
      path,
      encryption: 'none',
      source_directories: [home],
    });
    expect(created.body.warnings).toEqual([expect.stringContaining(`${home} can't be read`)]);
    await server.restart();
    const told = () => server.log.includes("sources can't be read") && server.log.includes(home);
    await waitFor(told, { what: 'the line in the log' });
    chmodSync(home, 0o700);
  } finally {
    await server.remove();
  }
});

test('lets the systemd service read every file, and nothing more', () => {
  const unit = read('systemd', 'holdfast.service');
  for (const name of ['AmbientCapabilities', 'CapabilityBoundingSet']) {
    expect(unit.match(new RegExp(`^${name}=.*$`, 'gm'))).toEqual([`${name}=CAP_DAC_READ_SEARCH`]);
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

test('passes the unit check of systemd', () => {
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
