import { spawn } from 'node:child_process';
import { basename, join } from 'node:path';
import { root } from '../prepare/root.mjs';
import { publishedPackages } from './published.mjs';

/**
 * Packs the built packages with `npm pack` into an existing folder, exactly as they would be published.
 * @returns {Promise<Map<string, string>>} the tarball of each package by its name
 */
export async function packInto(folder, packages = publishedPackages()) {
  const parameters = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder];
  const output = await npm([...parameters, ...packages.flatMap(({ path }) => ['-w', path])], { cwd: root });
  return new Map(JSON.parse(output).map(({ name, filename }) => [name, join(folder, basename(filename))]));
}

/** Runs npm and resolves to its stdout. @throws Error with the end of its stderr */
export function npm(parameters, { cwd }) {
  const cli = process.env.npm_execpath;
  const [program, first] = cli?.endsWith('npm-cli.js') ? [process.execPath, [cli]] : ['npm', []];
  // Settings of an outer npm, such as its workspace, must not apply to this one.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^npm_(?!config_(cache|registry|userconfig)$)/i.test(name),
    ),
  );
  const child = spawn(program, [...first, ...parameters], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    errors += text;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) return resolve(output);
      reject(
        new Error(`npm ${parameters.slice(0, 2).join(' ')} exited with ${code}: ${errors.slice(-2000)}`),
      );
    });
  });
}
