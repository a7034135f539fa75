import type { SpeedLimit } from '@holdfast/plugin-api/driver';
import { Meter, rateAt } from './bandwidth.rules.js';
import type { SshNeeds } from './needs.js';
import { type SshConnectionRow, sshConnections } from './tables.js';

type Needs = Pick<SshNeeds, 'storage' | 'clock'>;

/** Changes and hours take effect within this time. */
const readAgainMs = 2000;

interface Limit extends SpeedLimit {
  /** Takes effect immediately. */
  follow(connection: SshConnectionRow): void;
}

/** Of this process, by connection. */
const limits = new WeakMap<SshNeeds['storage'], Map<number, Limit>>();

/** The limit for a transfer that passes through all of these connections. It follows their settings. */
export function speedLimit(needs: Needs, connections: readonly SshConnectionRow[]): SpeedLimit {
  const known = limits.get(needs.storage) ?? new Map<number, Limit>();
  limits.set(needs.storage, known);
  const all = connections.map((connection) => {
    const limit = known.get(connection.id) ?? makeLimit(needs, connection.id);
    known.set(connection.id, limit);
    limit.follow(connection);
    return limit;
  });
  return {
    rate: () => {
      const rates = all.map((limit) => limit.rate()).filter((rate) => rate !== null);
      return rates.length === 0 ? null : Math.min(...rates);
    },
    spend: (bytes) => Math.max(...all.map((limit) => limit.spend(bytes))),
  };
}

function makeLimit({ storage, clock }: Needs, id: number): Limit {
  const meter = new Meter();
  let rate: number | null = null;
  let readAt = 0;
  const follow = ({ bandwidth }: Pick<SshConnectionRow, 'bandwidth'>) => {
    readAt = clock.now();
    rate = bandwidth && rateAt(bandwidth, readAt);
  };
  const read = async () => {
    const [row] = await storage.find(sshConnections, { where: { id }, limit: 1 });
    if (row) follow(row);
  };
  return {
    follow,
    rate: () => {
      if (clock.now() - readAt >= readAgainMs) {
        readAt = clock.now();
        read().catch(() => {}); // Tried again.
      }
      return rate;
    },
    spend: (bytes) => (rate === null ? 0 : meter.spend(bytes, rate, clock.now())),
  };
}
