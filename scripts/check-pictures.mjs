#!/usr/bin/env node
/**
 * Part of `npm run lint`: no picture of the docs is older than its screen, that is its component and its messages.
 * `npm run screenshots -- NAME` takes one again.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './prepare/root.mjs';

const desktop = { width: 1440, height: 900 };
const phone = { width: 390, height: 844 };
const home = ['screens/home/home.tsx', 'messages/en/home.ts'];

/**
 * By name. `of`: the files of the screen, in `console/src`. `press`: a button to press, and `until`: the text to wait
 * for.
 */
export const shots = {
  'home-desktop-light': { path: '/', ...desktop, theme: 'light', of: home },
  'home-desktop-dark': { path: '/', ...desktop, theme: 'dark', of: home },
  'protect-desktop-light': {
    path: '/add',
    press: 'Protect /etc',
    until: / files, /,
    ...desktop,
    theme: 'light',
    of: ['screens/add/what.tsx', 'messages/en/add.ts'],
  },
  'home-phone-dark': { path: '/', ...phone, theme: 'dark', of: home },
  'archives-desktop-dark': {
    path: '/repositories/1/archives',
    ...desktop,
    theme: 'dark',
    of: ['screens/archives/archives.tsx', 'messages/en/archives.ts'],
  },
  'repository-desktop-light': {
    path: '/repositories/1',
    ...desktop,
    theme: 'light',
    of: ['screens/repositories/overview.tsx', 'messages/en/repository.ts'],
  },
  'restore-phone-light': {
    path: '/restore',
    ...phone,
    theme: 'light',
    of: ['screens/restore/restore.tsx', 'messages/en/restore.ts'],
  },
  'activity-desktop-light': {
    path: '/activity',
    ...desktop,
    theme: 'light',
    of: ['screens/activity/jobs.tsx', 'messages/en/activity.ts'],
  },
};

export const taken = join(root, 'docs', 'images', 'taken.json');

/** The state of the screen that a picture shows. */
export function stateOf({ of }) {
  const hash = createHash('sha256');
  for (const file of of) hash.update(readFileSync(join(root, 'console', 'src', file)));
  return hash.digest('hex').slice(0, 16);
}

export const readTaken = () => JSON.parse(readFileSync(taken, 'utf8'));

if (process.argv[1]?.endsWith('check-pictures.mjs')) {
  const states = readTaken();
  const old = Object.keys(shots).filter((name) => states[name] !== stateOf(shots[name]));
  if (old.length > 0) {
    console.error(`Older than their screens: ${old.join(', ')}. Run npm run screenshots -- ${old.join(' ')}`);
    process.exitCode = 1;
  }
}
