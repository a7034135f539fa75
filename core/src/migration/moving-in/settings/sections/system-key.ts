import { z } from 'zod';
import {
  openPrivateKey,
  publishKeyFiles,
  readPrivateKey,
  sshKeys,
  storeKey,
} from '../../../../backup/ssh/index.js';
import { say } from '../../../../foundation/kernel/index.js';
import { section } from '../section.js';

const shape = z
  .object({
    name: z.string().trim().min(1).max(255),
    description: z.string().max(2000).nullable().optional(),
    public_key: z.string().max(16_384),
    private_key: z.string().max(65_536).optional(),
  })
  .strict();

/** The key with which the service signs in to other hosts. One that is here already stays. */
export const systemKey = section<z.infer<typeof shape>>({
  name: 'system_key',
  shape,
  key: () => 'system',
  title: ({ name }) => name,
  secrets: ['private_key'],
  fixed: ['name', 'description', 'public_key', 'private_key'],
  read: async ({ storage, secrets }) =>
    (await storage.find(sshKeys)).map(({ id, name, description, public_key, ...row }) => {
      const private_key = openPrivateKey({ secrets }, { id, name, description, public_key, ...row });
      return { id, value: { name, description, public_key, private_key } };
    }),
  obstacle: (value, before) => {
    if (before && blobOf(before.public_key) !== blobOf(value.public_key))
      return say`settings_other_key: Holdfast already uses a different SSH key: delete it first if the key in the file should replace it.`;
    if (before || value.private_key) return null;
    return say`settings_key_sealed: The file does not contain the private key: export it with encrypted secrets, or import the key itself.`;
  },
  create: async ({ needs, afterwards }, { name, description, private_key = '' }) => {
    const pair = readPrivateKey(needs, { privateKey: private_key });
    const key = await storeKey(needs, needs.storage, { name, description, pair });
    afterwards((live) => publishKeyFiles(live, key));
  },
  change: async () => {},
});

const blobOf = (line: string): string => line.split(' ')[1] ?? '';
