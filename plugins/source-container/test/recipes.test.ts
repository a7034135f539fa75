import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { isOwn } from '../src/containers.js';
import { imageOf } from '../src/find.js';
import { readRecipes } from '../src/recipes.js';

const folder = mkdtempSync(join(tmpdir(), 'holdfast-recipes-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('reads the recipes of the package, each for images of its own', async () => {
  const recipes = await readRecipes(undefined);
  expect(recipes.map(({ name }) => name)).toEqual([
    'docker-mailserver',
    'Gitea or Forgejo',
    'Home Assistant',
    'Immich',
    'Jellyfin',
    'mailcow',
    'Nextcloud',
    'Paperless-ngx',
    'UniFi Network Application',
    'Vaultwarden',
  ]);
  const images = recipes.flatMap((recipe) => recipe.images);
  expect(images.length).toBe(new Set(images).size);
  expect(images.map((image) => imageOf({ image: `registry.example:5000/${image}:1.2@sha256:00` }))).toEqual(
    images,
  );
});

test('prefers the recipes of a folder', async () => {
  const file = join(folder, 'immich.yaml');
  writeFileSync(file, 'name: Mine\nimages: [immich-app/immich-server]\nstop: backup\n');
  expect((await readRecipes(folder))[0]).toMatchObject({ name: 'Mine', stop: 'backup', databases: [] });
  rmSync(file);
});

test.each([
  ['no stop', 'name: X\nimages: [x]', 'stop: Required'],
  [
    'an unknown field',
    'name: X\nimages: [x]\nstop: never\nstopp: 1',
    "Unrecognized key(s) in object: 'stopp'",
  ],
  [
    'a relative path',
    'name: X\nimages: [x]\nstop: never\nsqlite: [db]',
    'sqlite.0: must be an absolute path',
  ],
  ['a list', '- name: X', 'the file: Expected object'],
  ['broken YAML', 'name: [X', 'is not a recipe'],
])('names the file and the problem when a recipe has %s', async (_what, text, problem) => {
  const file = join(folder, 'wrong.yaml');
  writeFileSync(file, text);
  await expect(readRecipes(folder)).rejects.toThrow(`${file} is not a recipe`);
  await expect(readRecipes(folder)).rejects.toThrow(problem);
  rmSync(file);
});

test('knows the container of the service by the name of its host', () => {
  const id = '0123456789ab'.padEnd(64, 'c');
  expect([isOwn({ id }, '0123456789ab'), isOwn({ id }, 'ba9876543210'), isOwn({ id }, '0')]).toEqual([
    true,
    false,
    false,
  ]);
});
