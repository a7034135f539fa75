#!/usr/bin/env node
/**
 * Part of `npm run lint`: no line of this tree may let SSH connect to a host whose key is not pinned. `node
 * scripts/check-host-keys.mjs [folder]` prints each problem and exits with 1 if there is one.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { root } from './prepare/root.mjs';

const between = String.raw`["'\`]?\s*[=:,\s]\s*["'\`]?\s*`;
const rule = (values, option) => new RegExp(`${option}${between}(${values})\\b`, 'i');

/** Options of OpenSSH that weaken the check, in any notation: `-o A=b`, `A b`, `{ A: 'b' }`. */
const forbidden = [
  [rule('no|off|ask|accept-new|false', 'StrictHostKeyChecking'), 'unknown host keys are accepted'],
  [rule('none|/dev/null', 'UserKnownHostsFile'), 'the pinned host key is ignored'],
  [rule('yes|true', 'NoHostAuthenticationForLocalhost'), 'the host key of this machine is not checked'],
  [rule('yes|ask', 'UpdateHostKeys'), 'a host could add keys to those that are pinned'],
  [rule('yes', 'VerifyHostKeyDNS'), 'a name server could vouch for a host key'],
  [/hostVerifier\s*[:=]\s*(\([^)]*\)|\w+)\s*=>\s*(true|\{\s*return true)/, 'every host key is accepted'],
];
const skipped = new Set(['node_modules', 'dist', '.git', '.cache', 'package-lock.json']);
const isText = /\.(c|m)?[jt]sx?$|\.(json|ya?ml|md|sh|conf|toml)$|^[^.]+$|^Dockerfile/;

/** Without a verifier, the library accepts every key. */
const usesLibrary = /from 'ssh2'|require\('ssh2'\)/;
const connects = /\.connect\(/;

export function hostKeyProblems(folder) {
  return [...filesBelow(folder)].flatMap((file) => {
    const text = readFileSync(file, 'utf8');
    const name = relative(folder, file);
    const problems = text
      .split('\n')
      .flatMap((line, index) =>
        forbidden
          .filter(([pattern]) => pattern.test(line))
          .map(([, reason]) => `${name}:${index + 1}: ${reason}: ${line.trim().slice(0, 100)}`),
      );
    if (usesLibrary.test(text) && connects.test(text) && !text.includes('hostVerifier')) {
      problems.push(`${name}: connects without a hostVerifier: every host key is accepted`);
    }
    return problems;
  });
}

function* filesBelow(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (skipped.has(entry.name)) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path);
    else if (entry.isFile() && isText.test(entry.name)) yield path;
  }
}

if (process.argv[1] === import.meta.filename) {
  const problems = hostKeyProblems(resolve(process.argv[2] ?? root));
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
