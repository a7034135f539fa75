/** Limits for the connections of the process. */
export interface ConnectionLimits {
  /** From the first byte, or the start of the connection, to the end of the headers. */
  headersSeconds: number;
  /** To the end of the body; the response may take longer. */
  requestSeconds: number;
  /** Idle timeout of a connection between requests. */
  keepAliveSeconds: number;
  connections: number;
}

/** Limits for requests. */
export interface AppLimits {
  downloads: number;
  downloadsOfUser: number;
  /** Idle timeout of downloads. */
  stalledDownloadSeconds: number;
  /** Per user. */
  expensiveCallsPerMinute: number;
  /** Number of proxies in front of the service, or their addresses. 0: none, the peer is the client. */
  trustProxy: number | string[];
}

export const defaultLimits: ConnectionLimits & AppLimits = {
  headersSeconds: 20,
  requestSeconds: 60,
  // Longer than the usual 60 s of proxies, so that the proxy closes idle connections first.
  keepAliveSeconds: 65,
  connections: 4_000,
  downloads: 20,
  downloadsOfUser: 10,
  stalledDownloadSeconds: 120,
  expensiveCallsPerMinute: 300,
  trustProxy: 0,
};

/** Not configurable: part of the API, or high enough for everyone. */
export const fixedLimits = {
  /** Bytes of the URL and the headers together. */
  headerBytes: 16 * 1024,
  bodyBytes: 1024 * 1024,
  uploadBytes: 64 * 1024,
  /** How long a client may still send its body after the response. */
  lingerSeconds: 4,
} as const;
