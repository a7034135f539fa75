import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeWorld, runEveryJob, type World } from './world.js';

const root = join(import.meta.dirname, '..', '..', '..');
const pythonPath = process.env.TEST_SCHEMATHESIS ?? '';
const atLeast = 15_000;

/** What would end the session of the run itself, and the stream that never ends. */
const excluded = [
  ...['authLogout', 'authRefresh', 'authChangePassword', 'authDeleteToken', 'eventsStream'],
  ...['authUpdateUser', 'authDeleteUser', 'authResetPassword'],
];
const checks = [
  ...['not_a_server_error', 'status_code_conformance', 'content_type_conformance'],
  ...['response_headers_conformance', 'response_schema_conformance'],
];

let world: World;
beforeAll(async () => {
  world = await makeWorld({
    unprivileged: true,
    env: { HOLDFAST_VALIDATE_RESPONSES: '0', EXPENSIVE_CALLS_PER_MINUTE: '1000000' },
  });
  await runEveryJob(world);
});
afterAll(() => world?.server.remove());

test('passes a validator that checks defaults and patterns', async () => {
  const { code, output } = await python(['-m', 'openapi_spec_validator', join(root, 'api', 'openapi.json')]);
  expect(code, output).toBe(0);
});

test('gets only documented responses for requests from the OpenAPI document', {
  timeout: 3_600_000,
}, async () => {
  const base = world.server.api.baseUrl;
  const operations = Object.values<object>((await world.api.get('/api/openapi.json')).body.paths).flatMap(
    (methods) => Object.keys(methods),
  ).length;
  const examples = `${Math.ceil((1.5 * atLeast) / operations)}`;
  const { body } = await world.api.post('/api/auth/tokens', { name: 'api tester' });
  const parameters = [
    ...['run', `${base}/api/openapi.json`, '--phases', 'examples,coverage,fuzzing', '--no-color'],
    ...['--header', `Authorization: Bearer ${body.access_token}`, '--checks', checks.join(',')],
    ...[
      '--max-examples',
      examples,
      '--seed',
      '1',
      '--no-shrink',
      '--continue-on-failure',
      '--warnings',
      'off',
    ],
    ...['--suppress-health-check', 'all', '--request-timeout', '60', '--workers', '2'],
    ...excluded.flatMap((name) => ['--exclude-operation-id', name]),
  ];
  const { code, output } = await python(['-m', 'schemathesis.cli', ...parameters]);
  expect(code, output.slice(-20_000)).toBe(0);
  const count = Number(/(\d[\d,]*) generated/.exec(output)?.[1]?.replaceAll(',', ''));
  expect(count, output.slice(-2_000)).toBeGreaterThanOrEqual(atLeast);
});

const python = (parameters: string[]) =>
  new Promise<{ code: number; output: string }>((resolve) => {
    const env = { ...process.env, PYTHONPATH: pythonPath };
    const options = { env, maxBuffer: 1e9, cwd: world.server.workspace.path };
    execFile('python3', parameters, options, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code ?? 1) : 0, output: stdout + stderr }),
    );
  });
