/** Services that the host gives to a plugin. */

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

export interface Log {
  debug(message: string, fields?: object): void;
  info(message: string, fields?: object): void;
  warn(message: string, fields?: object): void;
  error(message: string, fields?: object): void;
  child(fields: object): Log;
}
