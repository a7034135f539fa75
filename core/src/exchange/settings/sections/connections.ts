import { connectionChanges } from '@holdfast/contracts';
import { z } from 'zod';
import { say } from '../../../kernel/index.js';
import { findSystemKey, hostKeyFingerprint, saveConnection } from '../../../ssh/index.js';
import { sshConnections } from '../../../ssh/tables.js';
import { addressText } from '../references.js';
import { only, section, type Writing } from '../section.js';

const shape = connectionChanges
  .required({ host: true, username: true, port: true })
  .extend({
    host_key: z
      .string()
      .max(16_384)
      .regex(/^[a-z0-9@.-]+ [A-Za-z0-9+/=]+$/)
      .nullable()
      .optional(),
  })
  .strict();
type Connection = z.infer<typeof shape>;

/** Accounts on other hosts. The pinned host key comes along; one that is pinned here is never replaced. */
export const connections = section<Connection>({
  name: 'connections',
  shape,
  key: addressText,
  title: addressText,
  secrets: [],
  fixed: ['host', 'port', 'username'],
  read: async ({ storage }) =>
    (await storage.find(sshConnections)).map(({ id, ...row }) => {
      const { host, port, username, use_sftp_mode, default_path, ssh_path_prefix, mount_point } = row;
      const { trusted, sudo, host_key } = row;
      const address = { host, port, username };
      const value = {
        ...{ ...address, use_sftp_mode, default_path, ssh_path_prefix, mount_point, trusted, sudo, host_key },
      };
      return { id, value };
    }),
  obstacle: (value, before) =>
    value.host_key && before?.host_key && before.host_key !== value.host_key
      ? say(
          'settings_host_key_differs',
        )`Another host key is pinned here: ${{ here: hostKeyFingerprint(before.host_key) }}, not ${{ given: hostKeyFingerprint(value.host_key) }}. Compare both with the host.`
      : null,
  create: (at, value) => write(at, value, value),
  change: (at, _existing, value, fields) => write(at, value, only(value, fields)),
});

async function write({ needs }: Writing, address: Connection, changes: Partial<Connection>) {
  const { storage, events, clock } = needs;
  const { host, port, username } = address;
  const { trusted, sudo, host_key, host: _, port: __, username: ___, ...usage } = changes;
  const key = await findSystemKey(storage);
  const patch = {
    ssh_key_id: key?.id ?? null,
    ...(trusted !== undefined && { trusted }),
    ...(sudo !== undefined && { sudo }),
    ...(host_key != null && { host_key }),
  };
  await storage.transaction((session) =>
    saveConnection(session, events, {
      address: { host, port, username },
      usage,
      now: clock.now(),
      patch,
    }),
  );
}
