import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

export interface Service {
  build?: string;
  image?: string;
  env_file?: string;
  environment?: Record<string, string>;
  ports?: string[];
  volumes?: string[];
  networks?: string[];
  secrets?: string[];
  depends_on?: string[] | Record<string, { condition: string }>;
  healthcheck?: { test: string[] };
  restart?: string;
}
interface Compose {
  services: Record<string, Service>;
  volumes?: Record<string, unknown>;
  networks?: Record<string, unknown>;
  secrets?: Record<string, { environment: string }>;
}

export const root = join(import.meta.dirname, '..', '..');
export const deploy = join(root, 'examples', 'deploy');
export const read = (...path: string[]) => readFileSync(join(deploy, ...path), 'utf8');
export const composeOf = (folder: string): Compose => parse(read(folder, 'compose.yaml'), { merge: true });
export const variablesOf = (text: string) =>
  Object.fromEntries(
    [...text.matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [name as string, value as string]),
  );
/** The variables that the service reads, from the schema of its configuration. */
export const known = ['config.ts', 'limit-variables.ts'].flatMap((file) =>
  [...readFileSync(join(root, 'server', 'src', file), 'utf8').matchAll(/^ {2}([A-Z][A-Z_]+): /gm)].map(
    ([, name]) => name,
  ),
);
/** What a person would write into the example. */
export const filled: Record<string, string> = {
  INITIAL_ADMIN_PASSWORD: 'correct horse battery staple',
  SECRET_KEY: '0123456789abcdef0123456789abcdef',
  METRICS_TOKEN: '0123456789abcdef',
  POSTGRES_PASSWORD: '0123456789abcdef',
};

/** As compose does it: `${NAME}`, `${NAME:-default}`, `${NAME:?reason}`. */
export const interpolated = (text: string, variables: Record<string, string>) =>
  text.replace(/\$\{(\w+)(?::[-?]([^}]*))?\}/g, (_all, name: string, fallback = '') => {
    return variables[name] || fallback;
  });
