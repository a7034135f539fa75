/** `host_key_changed`: the host showed another key than the pinned one; every use is refused until it is accepted. */
export type ConnectionStatus = 'unknown' | 'testing' | 'connected' | 'failed' | 'host_key_changed';

/** Usage of the remote file system as it was at `checkedAt`; bytes. */
export interface StoredUsage {
  total: number;
  used: number;
  available: number;
  percentUsed: number;
  checkedAt: number;
}
