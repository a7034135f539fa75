/** The database of running services, seen from outside. */
export interface Database {
  /** Runs one statement with `?` for each value. */
  all<T>(sql: string, ...values: unknown[]): Promise<T[]>;
  /** False while some process holds a transaction open that keeps others from writing. */
  takesWrites(): Promise<boolean>;
  /** Keeps everybody else from writing until `letWrite`. */
  holdWrites(): Promise<void>;
  letWrite(): Promise<void>;
  /** All that is stored, to be searched for what must not be there. */
  contents(): Promise<string>;
  close(): Promise<void>;
}
