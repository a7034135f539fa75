import { connectionChanges } from '@holdfast/contracts';
import { z } from 'zod';
import {
  findSystemKey,
  hostKeyFingerprint,
  type SshConnectionRow,
  saveConnection,
  sshConnections,
} from '../../../../backup/ssh/index.js';
import { say } from '../../../../foundation/kernel/index.js';
import { addressText, connectionOf } from '../references.js';
import { only, section, type Writing } from '../section.js';

const shape = connectionChanges
  .omit({ jump_connection_id: true })
  .required({ host: true, username: true, port: true })
  .extend({
    /** The address of the connection through which it is reached. */
    jump: z.string().max(400).nullable().optional(),
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
  read: async ({ storage }) => {
    const rows = await storage.find(sshConnections);
    const jumpOf = ({ jump_connection_id: jump }: SshConnectionRow) => rows.find(({ id }) => id === jump);
    const depth = (row: SshConnectionRow | undefined): number => (row ? 1 + depth(jumpOf(row)) : 0);
    // Jump hosts come before the connections that use them.
    const inOrder = [...rows].sort((a, b) => depth(a) - depth(b));
    return inOrder.map((row) => {
      const { host, port, username, use_sftp_mode, default_path, ssh_path_prefix, mount_point } = row;
      const { trusted, sudo, host_key, name, tags, bandwidth } = row;
      const address = { host, port, username };
      const through = jumpOf(row);
      const value = {
        ...address,
        name,
        tags,
        use_sftp_mode,
        default_path,
        ssh_path_prefix,
        mount_point,
        trusted,
        sudo,
        bandwidth,
        host_key,
        jump: through ? addressText(through) : null,
      };
      return { id: row.id, value };
    });
  },
  obstacle: (value, before) =>
    value.host_key && before?.host_key && before.host_key !== value.host_key
      ? say`settings_host_key_differs: A different host key is pinned here: ${{ here: hostKeyFingerprint(before.host_key) }}, not ${{ given: hostKeyFingerprint(value.host_key) }}. Compare both with the host.`
      : null,
  create: (at, value) => write(at, value, value),
  change: (at, _existing, value, fields) => write(at, value, only(value, fields)),
});

async function write({ needs }: Writing, address: Connection, changes: Partial<Connection>) {
  const { storage, events, clock } = needs;
  const { host, port, username } = address;
  const { trusted, sudo, jump, host_key, host: _, port: __, username: ___, ...usage } = changes;
  const key = await findSystemKey(storage);
  const patch = {
    ssh_key_id: key?.id ?? null,
    ...(trusted !== undefined && { trusted }),
    ...(sudo !== undefined && { sudo }),
    ...(host_key != null && { host_key }),
  };
  await storage.transaction(async (session) =>
    saveConnection(session, events, {
      address: { host, port, username },
      usage: { ...usage, jump_connection_id: await connectionOf(session, jump) },
      now: clock.now(),
      patch,
    }),
  );
}
