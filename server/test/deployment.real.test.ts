import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { contract, routesOf } from '@holdfast/contracts';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { readConfiguration } from '../src/config.js';
import {
  composeOf,
  filled,
  interpolated,
  known,
  read,
  root,
  type Service,
  variablesOf,
} from './deployment-files.js';

const paths = routesOf(contract).map(({ path }) => path);
const files = [
  'embedded/compose.yaml',
  'embedded/.env.example',
  'full/compose.yaml',
  'full/.env.example',
  'full/Caddyfile',
  'full/prometheus.yml',
  'systemd/holdfast.service',
  'systemd/holdfast.env.example',
  '../../Dockerfile',
];
const dockerfile = read('..', '..', 'Dockerfile');

test('explains every file and stores no secret in any', () => {
  for (const file of files) {
    const text = read(...file.split('/'));
    expect(text, file).toMatch(/^\s*#/m);
    expect(text, file).not.toMatch(/^(?!\s*#).*(PASSWORD|SECRET_KEY|TOKEN)[=:] *["']?(?!\$\{)[\w-]+/m);
  }
  for (const file of files.filter((name) => name.endsWith('.example'))) {
    const lines = read(...file.split('/'))
      .trimEnd()
      .split('\n');
    const unexplained = lines.filter((line, at) => !line.startsWith('#') && !lines[at - 1]?.startsWith('#'));
    expect(
      unexplained.filter((line) => !/^PORT=/.test(line)),
      file,
    ).toEqual([]);
  }
});

test.each(['embedded', 'full'])('references only existing files in compose, %s', (folder) => {
  const { services, volumes = {}, networks = {}, secrets = {} } = composeOf(folder);
  for (const [name, service] of Object.entries(services)) {
    expect(service.image ?? '', name).toMatch(/^[a-z][a-z0-9/.-]+:[\w.]+$/);
    expect(service.restart, name).toBe('unless-stopped');
    for (const volume of service.volumes ?? []) {
      const [source = '', target = ''] = volume.split(':');
      expect(target, volume).toMatch(/^\//);
      if (source.startsWith('.')) expect(() => read(folder, source)).not.toThrow();
      else if (!source.startsWith('/')) expect(Object.keys(volumes), name).toContain(source);
    }
    for (const network of service.networks ?? []) expect(Object.keys(networks), name).toContain(network);
    for (const secret of service.secrets ?? []) expect(Object.keys(secrets), name).toContain(secret);
    const needed = Array.isArray(service.depends_on) ? service.depends_on : [];
    for (const other of needed) expect(Object.keys(services), name).toContain(other);
    for (const [other, { condition }] of Object.entries(needed.length ? {} : (service.depends_on ?? {}))) {
      expect(condition).toBe('service_healthy');
      expect((services[other] as Service | undefined)?.healthcheck, other).toBeDefined();
    }
    if (service.build) expect(read(folder, service.build, 'Dockerfile')).toBe(dockerfile);
  }
  const used = Object.values(services).flatMap((service) => service.volumes ?? []);
  for (const volume of Object.keys(volumes)) {
    expect(
      used.some((text) => text.startsWith(`${volume}:`)),
      `${volume} is used`,
    ).toBe(true);
  }
});

test.each(['embedded', 'full'])('compose, %s: the service takes the variables that it gets', (folder) => {
  const { services } = composeOf(folder);
  const own = Object.values(services).filter(({ image }) => image?.startsWith('holdfast:'));
  expect(own).toHaveLength(folder === 'full' ? 2 : 1);
  const example = variablesOf(read(folder, '.env.example'));
  const values = { ...example, ...filled };
  const forCompose = [...read(folder, 'compose.yaml').matchAll(/\$\{(\w+)/g)].map(([, name]) => name);
  expect(Object.keys(example)).toEqual(expect.arrayContaining(forCompose));
  for (const { environment = {}, env_file } of own) {
    expect(env_file).toBe('.env');
    const given = { ...example, ...environment };
    const elsewhere = ['POSTGRES_PASSWORD', 'HOLDFAST_ADDRESS'];
    expect(Object.keys(given).filter((name) => !known.includes(name) && !elsewhere.includes(name))).toEqual(
      [],
    );
    const set = Object.entries({ ...values, ...environment }).map(([name, value]) => [
      name,
      interpolated(value, values),
    ]);
    const { DATABASE_URL, ...rest } = Object.fromEntries(set);
    expect(DATABASE_URL ?? 'postgres://a:b@c/d').toMatch(/^postgres:\/\/\w+:\w+@\w+(:\d+)?\/\w+$/);
    expect(readConfiguration({ ...rest, PORT: '8081' }).port).toBe(8081);
  }
});

test('compose, full: addresses between the services agree', () => {
  const { services, secrets } = composeOf('full');
  const port = /PORT=(\d+)/.exec(dockerfile)?.[1];
  expect(dockerfile).toContain(`EXPOSE ${port}`);
  expect(composeOf('embedded').services.holdfast?.ports).toEqual([`127.0.0.1:${port}:${port}`]);
  const instances = ['instance-a', 'instance-b'];
  const expected = instances.map((name) => `${name}:${port}`);
  expect(Object.keys(services)).toEqual(expect.arrayContaining(instances));

  const proxy = read('full', 'Caddyfile');
  expect(/reverse_proxy (.*) \{/.exec(proxy)?.[1]?.split(' ')).toEqual(expected);
  expect(proxy).toMatch(/^\s+flush_interval -1$/m);
  for (const [, path] of proxy.matchAll(/(?:health_uri|respond) (\/\S+)/g)) expect(paths).toContain(path);

  const { scrape_configs } = parse(read('full', 'prometheus.yml'));
  expect(scrape_configs).toMatchObject([
    {
      metrics_path: '/metrics',
      static_configs: [{ targets: expected }],
      authorization: { credentials_file: `/run/secrets/${Object.keys(secrets ?? {})[0]}` },
    },
  ]);
  expect(services.prometheus?.secrets).toEqual(Object.keys(secrets ?? {}));
  expect(secrets?.metrics_token?.environment).toBe('METRICS_TOKEN');

  const environment = services['instance-a']?.environment ?? {};
  for (const name of ['DATABASE_URL', 'MONGODB_URI', 'KVCACHE_URL', 'APPRISE_API_URL']) {
    const host = /\/\/(?:[^@]*@)?([\w-]+):\d+/.exec(environment[name] ?? '')?.[1] ?? '';
    expect(Object.keys(services), `${name} names a service`).toContain(host);
    const both = services[host]?.networks?.some((network) =>
      services['instance-a']?.networks?.includes(network),
    );
    expect(both, `${host} is in a network with the instances`).toBe(true);
  }
  expect(services['instance-b']?.environment).toEqual(environment);
  expect(services['instance-a']?.volumes?.[0]).not.toBe(services['instance-b']?.volumes?.[0]);
  const published = Object.entries(services).flatMap(([name, { ports = [] }]) =>
    ports.map((text) => [name, text]),
  );
  expect(published).toEqual([
    ['proxy', '80:80'],
    ['proxy', '443:443'],
    ['prometheus', '127.0.0.1:9090:9090'],
  ]);
});

test('copies into the image all that the service needs and nothing else', () => {
  expect(dockerfile.match(/^COPY --from=build.*$/gm), 'in one place').toEqual([
    'COPY --from=build /product ./',
  ]);
  const [flag, entry = ''] = /^CMD \["node", "(--\S+)", "(.+)"\]$/m.exec(dockerfile)?.slice(1) ?? [];
  expect(readFileSync(join(root, entry), 'utf8')).toMatch(/^#!/);
  const { scripts, workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  expect(scripts.start, 'the same as npm start').toContain(`node ${flag} `);
  for (const [, script] of dockerfile.matchAll(/^RUN npm run (\w+)$/gm))
    expect(scripts).toHaveProperty(script ?? '');

  const context = [...read('..', '..', '.dockerignore').matchAll(/^!(\S+)$/gm)].map(([, name]) => name ?? '');
  for (const [, name] of dockerfile.matchAll(/^COPY (?:--chmod=\d+ )?([a-z]\S*)/gm))
    expect(context).toContain(name);
  const covered = (workspace: string) =>
    context.some((name) => name === workspace.replace('/*', '') || name === `${workspace}/package.json`);
  expect((workspaces as string[]).filter((workspace) => !covered(workspace))).toEqual([]);
  for (const { path: reference } of JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8'))
    .references) {
    expect(context, `${reference} is built`).toContain(reference.replace('./', '').split('/')[0]);
  }
});

test('systemd: the variables are known, and its folders are those of the unit', () => {
  const unit = read('systemd', 'holdfast.service');
  const variables = variablesOf(read('systemd', 'holdfast.env.example'));
  expect(Object.keys(variables).filter((name) => !known.includes(name))).toEqual([]);
  const { dataDirectory, port } = readConfiguration({ ...variables, ...filled });
  expect(dataDirectory).toBe(`/var/lib/${/^StateDirectory=(\w+)$/m.exec(unit)?.[1]}`);
  expect(port).toBe(8081);
  const [flag, entry] = /^ExecStart=\S+ (--\S+) server\/dist\/(\S+)$/m.exec(unit)?.slice(1) ?? [];
  expect(readdirSync(join(root, 'server', 'dist'))).toContain(entry);
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  expect(scripts.start, 'the same as npm start').toContain(`node ${flag} `);
});
