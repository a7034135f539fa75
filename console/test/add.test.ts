import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  changed,
  customFlags,
  excludePatterns,
  firstOpen,
  folderName,
  isInSources,
  lostDatabases,
  nameFor,
  newDraft,
  noSecrets,
  repositoryPath,
} from '../src/screens/add/draft.rules.js';
import { drawPassphrase, isWord } from '../src/screens/add/passphrase.rules.js';
import { wordsIn } from '../src/screens/add/words.js';

const words = wordsIn(readFileSync(new URL('../src/screens/add/words.txt', import.meta.url), 'utf8'));

describe('the passphrase', () => {
  it('is drawn from 4,096 different words of small letters', () => {
    expect(new Set(words).size).toBe(4096);
    expect(words.every((word) => /^[a-z]{3,}$/.test(word))).toBe(true);
  });

  it('has six words, another time other ones', () => {
    const one = drawPassphrase(words);
    expect(one.split(' ')).toHaveLength(6);
    expect(one.split(' ').every((word) => words.includes(word))).toBe(true);
    expect(drawPassphrase(words)).not.toBe(one);
  });

  it('refuses a list that would make some words likelier', () => {
    expect(() => drawPassphrase(words.slice(1))).toThrow(/divide/);
  });

  it('checks the word at a position', () => {
    expect(isWord('one two three four five six', 5, ' Five ')).toBe(true);
    expect(isWord('one two three four five six', 2, 'three')).toBe(false);
    expect(isWord('', 2, '')).toBe(false);
  });
});

describe('the steps', () => {
  const filled = {
    ...newDraft('UTC'),
    sources: ['/home'],
    name: 'home',
    place: '/mnt',
    hasSheet: true,
  };
  const secrets = { ...noSecrets, passphrase: 'one two three four', isConfirmed: true };

  it('open one after the other', () => {
    expect(firstOpen(newDraft('UTC'), noSecrets)).toBe('what');
    expect(firstOpen({ ...filled, place: '' }, noSecrets)).toBe('where');
    expect(firstOpen(filled, noSecrets)).toBe('secret');
    expect(firstOpen({ ...filled, timing: { ...filled.timing, time: '' } }, secrets)).toBe('when');
    expect(firstOpen(filled, secrets)).toBe('tell');
    expect(firstOpen({ ...filled, isQuiet: true }, secrets)).toBe('review');
    expect(firstOpen(filled, { ...secrets, channelUrl: 'ntfy://x' })).toBe('review');
  });

  it('need a folder or a database, and its settings again after a reload', () => {
    const database = { kind: 'sqlite', name: 'shop', container: null, settings: { files: '/srv/shop.db' } };
    const draft = { ...filled, sources: [], databases: ['shop'] };
    expect(firstOpen({ ...draft, databases: [] }, secrets)).toBe('what');
    expect(firstOpen(draft, secrets)).toBe('what');
    expect(
      lostDatabases({ ...draft, databases: ['shop', 'wiki'] }, { ...secrets, databases: [database] }),
    ).toEqual(['wiki']);
    expect(firstOpen(draft, { ...secrets, databases: [database] })).toBe('tell');
  });

  it('require the sheet again if its contents changed', () => {
    expect(changed(filled, { zone: 'Europe/Berlin', name: 'home', place: '/mnt' }).hasSheet).toBe(true);
    for (const change of [{ name: 'house' }, { place: '/srv' }, { connection: 1 }]) {
      const draft = changed(filled, change);
      expect(draft.hasSheet).toBe(false);
      expect(firstOpen(draft, secrets)).toBe('secret');
      expect(firstOpen({ ...draft, keepsElsewhere: true }, secrets)).toBe('tell');
    }
  });

  it('leave marked caches out by a flag, others by patterns', () => {
    const draft = { ...filled, excludes: ['trash' as const, 'tagged' as const] };
    expect(customFlags(draft)).toBe('--exclude-caches');
    expect(excludePatterns(draft)).toHaveLength(2);
    expect(customFlags(filled)).toBeNull();
  });

  it('propose a name that is free', () => {
    expect(nameFor('/home/ann', [])).toBe('ann');
    expect(nameFor('/home/ann/', ['ann', 'ann-2'])).toBe('ann-3');
    expect(nameFor('/', [])).toBe('backup');
  });

  it('build a path from location and name', () => {
    expect(repositoryPath({ place: '/mnt/backup/', name: 'My photos!' })).toBe('/mnt/backup/My-photos');
    expect(repositoryPath({ place: '/', name: 'a' })).toBe('/a');
    expect(repositoryPath({ place: '.', name: 'a' })).toBe('./a');
    expect(folderName('../..')).toBe('');
  });

  it('detect a location inside the sources on the same machine', () => {
    const draft = { ...newDraft('UTC'), sources: ['/home/ann/', '/etc'] };
    expect(isInSources(draft, '/home/ann')).toBe(true);
    expect(isInSources(draft, '/etc/backup')).toBe(true);
    expect(isInSources(draft, '/home/anna')).toBe(false);
    expect(isInSources({ ...draft, connection: 1 }, '/etc/backup')).toBe(false);
    expect(isInSources({ ...draft, sources: ['/'] }, '/mnt/backup')).toBe(true);
  });
});
