/** What is used of the client library, which comes without types. */
declare module 'pg' {
  import type { EventEmitter } from 'node:events';
  import type { Socket } from 'node:net';
  import type { ConnectionOptions } from 'node:tls';

  type Result<Row> = { rows: Row[] };
  export type Done = (error: Error | null, result?: Result<unknown>) => void;

  export class Client extends EventEmitter {
    constructor(settings: { connectionString: string; types?: object });
    readonly host: string;
    readonly port: number;
    readonly user: string | undefined;
    readonly database: string | undefined;
    readonly password: string | null | undefined;
    readonly ssl: boolean | ConnectionOptions;
    readonly connection: { readonly stream: Socket };
    connect(): Promise<void>;
    query<Row>(sql: string, values?: unknown[] | Done, done?: Done): Promise<Result<Row>>;
    end(done?: Done): Promise<void> | undefined;
  }

  const pg: { Client: typeof Client };
  export default pg;
}
