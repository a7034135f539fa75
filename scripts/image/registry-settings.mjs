import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** This machine's npm registry settings as secrets for `buildah build`: no layer contains them. */
export function registrySettings(folder) {
  const { npm_config_userconfig, npm_config_registry: registry, NODE_EXTRA_CA_CERTS } = process.env;
  const own = npm_config_userconfig || join(homedir(), '.npmrc');
  // Paths of this machine do not exist in the container.
  const lines = existsSync(own)
    ? readFileSync(own, 'utf8')
        .split('\n')
        .filter((line) => !/=\s*\//.test(line))
    : [];
  if (registry) lines.push(`registry=${registry}`);
  const npmrc = join(folder, 'npmrc');
  writeFileSync(npmrc, lines.join('\n'), { mode: 0o600 });
  const secrets = [`id=npmrc,src=${npmrc}`];
  if (NODE_EXTRA_CA_CERTS) secrets.push(`id=certificates,src=${NODE_EXTRA_CA_CERTS}`);
  return secrets.flatMap((secret) => ['--secret', secret]);
}
