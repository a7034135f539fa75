/** Of the connections of the whole process. */
export interface ConnectionLimits {
  /** From the first byte, or the beginning of the connection, to the end of the headers. */
  headersSeconds: number;
  /** To the end of the body; the answer may last. */
  requestSeconds: number;
  /** How long a connection stays without a request. */
  keepAliveSeconds: number;
  connections: number;
}

/** Of the requests. */
export interface AppLimits {
  downloads: number;
  downloadsOfUser: number;
  /** Idle timeout of downloads. */
  stalledDownloadSeconds: number;
  /** Of one user. */
  expensiveCallsPerMinute: number;
  /** How many proxies stand before the service, or which; 0: none, the peer is the client. */
  trustProxy: number | string[];
}

export const defaultLimits: ConnectionLimits & AppLimits = {
  headersSeconds: 20,
  requestSeconds: 60,
  // Longer than the minute after which proxies give an idle connection up: who closes first must not be us.
  keepAliveSeconds: 65,
  connections: 4_000,
  downloads: 20,
  downloadsOfUser: 10,
  stalledDownloadSeconds: 120,
  expensiveCallsPerMinute: 300,
  trustProxy: 0,
};

/** Not to be set: what the interface promises, or what nobody needs more of. */
export const fixedLimits = {
  /** Bytes of the address and the headers together. */
  headerBytes: 16 * 1024,
  bodyBytes: 1024 * 1024,
  uploadBytes: 64 * 1024,
  /** How long the rest of a body may come after its answer. */
  lingerSeconds: 2,
} as const;
