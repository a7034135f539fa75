import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';

/** A mongod of our own on a free port of 127.0.0.1, with its data in a folder that goes with it. */
export class MongoServer {
  #child;
  #output = '';

  constructor(program, port, replicaSet) {
    this.program = program;
    this.port = port;
    this.replicaSet = replicaSet;
    this.folder = mkdtempSync(join(tmpdir(), 'holdfast-mongod-'));
    process.on('exit', this.#leave);
  }

  /** Resolves when it takes writes. */
  static async start(program, { replicaSet = false } = {}) {
    const server = new MongoServer(program, await freePort(), replicaSet);
    try {
      await server.launch();
      return server;
    } catch (error) {
      await server.remove();
      throw error;
    }
  }

  get uri() {
    return `mongodb://127.0.0.1:${this.port}/?directConnection=true`;
  }

  get pid() {
    return this.#child?.pid;
  }

  /** Starts it, or starts it again on the same port and data. */
  async launch() {
    const own = [
      '--dbpath',
      this.folder,
      '--port',
      `${this.port}`,
      '--bind_ip',
      '127.0.0.1',
      '--nounixsocket',
    ];
    const small = [
      '--wiredTigerCacheSizeGB',
      '0.25',
      '--setParameter',
      'diagnosticDataCollectionEnabled=false',
    ];
    const set = this.replicaSet ? ['--replSet', 'holdfast'] : [];
    const child = spawn(this.program, [...own, ...small, ...set], { stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child = child;
    const keep = (text) => {
      this.#output = (this.#output + text).slice(-4000);
    };
    child.stdout.setEncoding('utf8').on('data', keep);
    child.stderr.setEncoding('utf8').on('data', keep);
    child.on('error', (error) => keep(error.message));
    await this.#untilWritable(child);
  }

  signal(name) {
    this.#child?.kill(name);
  }

  /** Ends it; the data stay. */
  async stop(signal = 'SIGTERM') {
    const child = this.#child;
    this.#child = undefined;
    if (!child?.pid || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGCONT');
    child.kill(signal);
    await ended;
  }

  async remove() {
    await this.stop('SIGKILL');
    this.#leave();
    process.off('exit', this.#leave);
  }

  #leave = () => {
    this.#child?.kill('SIGKILL');
    rmSync(this.folder, { recursive: true, force: true });
  };

  async #untilWritable(child) {
    const client = new MongoClient(this.uri, { serverSelectionTimeoutMS: 500, socketTimeoutMS: 5_000 });
    const deadline = Date.now() + 30_000;
    try {
      for (;;) {
        if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) {
          throw new Error(`mongod ended at once:\n${this.#output}`);
        }
        if (await this.#isWritable(client).catch(() => false)) return;
        if (Date.now() > deadline) throw new Error(`mongod does not answer:\n${this.#output}`);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    } finally {
      await client.close();
    }
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

/** Free a moment ago; mongod does not choose one itself. */
async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
