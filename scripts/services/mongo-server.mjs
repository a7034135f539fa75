import { MongoClient } from 'mongodb';
import { freePort, OwnServer } from './own-server.mjs';

/** A separate mongod on a free port of 127.0.0.1, with its data in a folder that is removed with it. */
export class MongoServer extends OwnServer {
  constructor(program, port, { replicaSet = false, user, testCommands = false }) {
    super(program, 'holdfast-mongod-');
    this.port = port;
    this.replicaSet = replicaSet;
    this.user = user;
    this.testCommands = testCommands;
  }

  /**
   * Resolves when it accepts writes.
   * @param {{ replicaSet?: boolean, user?: { user: string, pwd: string }, testCommands?: boolean }} options with a user,
   *   who may do everything, it asks everybody for a password; `testCommands`: it can be told to fail or to wait
   */
  static async start(program, options = {}) {
    const server = new MongoServer(program, await freePort(), options);
    try {
      await server.launch();
      if (options.user) await server.#addUser();
      return server;
    } catch (error) {
      await server.remove();
      throw error;
    }
  }

  get uri() {
    return `mongodb://127.0.0.1:${this.port}/?directConnection=true`;
  }

  /** Starts it, or restarts it with the same port and data. */
  async launch() {
    const place = ['--dbpath', this.folder, '--port', `${this.port}`, '--bind_ip', '127.0.0.1'];
    const quiet = ['--nounixsocket', '--setParameter', 'diagnosticDataCollectionEnabled=false'];
    const small = ['--wiredTigerCacheSizeGB', '0.25'];
    const set = this.replicaSet ? ['--replSet', 'holdfast'] : [];
    const secured = this.user ? ['--auth'] : [];
    const tested = this.testCommands ? ['--setParameter', 'enableTestCommands=1'] : [];
    const client = new MongoClient(this.uri, { serverSelectionTimeoutMS: 500, socketTimeoutMS: 5_000 });
    try {
      await this.run([...place, ...quiet, ...small, ...set, ...secured, ...tested], {
        isReady: () => this.#isWritable(client).catch(() => false),
        withinMs: 30_000,
      });
    } finally {
      await client.close();
    }
  }

  /** The first user may be added without a password. */
  async #addUser() {
    const { user, pwd } = this.user;
    const client = new MongoClient(this.uri);
    await client.db('admin').command({ createUser: user, pwd, roles: ['root'] });
    await client.close();
  }

  async #isWritable(client) {
    await client.connect();
    const admin = client.db('admin');
    const hello = await admin.command({ hello: 1 });
    if (this.replicaSet && !hello.setName) {
      const members = [{ _id: 0, host: `127.0.0.1:${this.port}` }];
      await admin.command({ replSetInitiate: { _id: 'holdfast', members } });
    }
    return hello.isWritablePrimary === true;
  }
}
