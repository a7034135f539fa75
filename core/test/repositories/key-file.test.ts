import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { makeWorld } from './world.js';

const refusal = (code: string, detail: RegExp) => ({ code, detail: expect.stringMatching(detail) });
const bytes = (content: string) => Buffer.from(content);

async function withEncryption(encryption: string) {
  const world = makeWorld();
  const { repository } = await world.create({ encryption });
  return { world, id: repository.id };
}

describe('uploading a key file', () => {
  it('stores one that belongs to the repository', async () => {
    const { world, id } = await withEncryption('keyfile');
    const before = (await world.row(id))?.key_file;
    const answer = await world.uploadKeyFile(id, bytes('BORG_KEY tool-1\nnew-material\n'));
    expect(answer.keyfile_name).toBe('backups_home.key');
    const row = await world.row(id);
    expect(row?.key_file).toMatch(new RegExp(`^sealed:keyfile:${row?.uid}:`));
    expect(row?.key_file).not.toBe(before);
    expect(row?.passphrase).not.toBeNull();
    expect(await world.eventKinds()).toContain('repository_updated');
  });

  it.each([
    ['keyfile', null, /part `keyfile`/],
    ['keyfile', bytes(' \n'), /empty/],
    ['keyfile', Buffer.from([0x42, 0xff, 0xfe]), /not text/],
    ['keyfile', bytes('BORG_KEY other\nx\n'), /another repository/],
    ['repokey', bytes('BORG_KEY tool-1\nx\n'), /no key file/],
  ])('refuses for %s: %s', async (encryption, content, detail) => {
    const { world, id } = await withEncryption(encryption);
    const before = await world.row(id);
    await expect(world.uploadKeyFile(id, content)).rejects.toMatchObject(refusal('invalid', detail));
    expect(await world.row(id)).toEqual(before);
  });
});

describe('downloading the key', () => {
  it.each(['repokey', 'keyfile-blake2'])('exports it with %s', async (encryption) => {
    const { world, id } = await withEncryption(encryption);
    const download = await world.downloadKeyFile(id);
    expect(download).toMatchObject({
      fileName: 'backups_home.key',
      contentType: 'text/plain; charset=utf-8',
    });
    const content = await text(download.stream);
    expect(content).toBe('BORG_KEY tool-1\nkey-material\n');
    expect(download.size).toBe(content.length);
  });

  it('is refused without encryption', async () => {
    const { world, id } = await withEncryption('none');
    await expect(world.downloadKeyFile(id)).rejects.toMatchObject(refusal('invalid', /not encrypted/));
  });
});
