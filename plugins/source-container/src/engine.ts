import { IncomingMessage, request } from 'node:http';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { CommandHost } from '@holdfast/plugin-api/source';

/** Where Docker and Podman listen. */
const sockets = ['/var/run/docker.sock', '/run/podman/podman.sock'];
/** Docker 19.03 and later, and Podman. */
const version = '/v1.40';
const mostText = 16 * 1024 * 1024;

interface Call {
  method?: 'GET' | 'POST';
  path: string;
  body?: unknown;
  /** Takes the connection over instead of an answer. */
  upgrade?: boolean;
}

export interface Answer {
  status: number;
  /** Parsed JSON; the text if it is none; null if there is none. */
  body: unknown;
}

/** The API of Docker, which Podman offers too, on a host. */
export interface Engine {
  hostName: string;
  call(call: Call): Promise<Answer>;
  /** The connection after an upgrade, with what was read of it. */
  attach(call: Call): Promise<Duplex>;
}

/** Rejects with an Error that names what to do when nothing listens. */
export async function engineOn(host: CommandHost, configured: string | undefined): Promise<Engine> {
  const wanted = configured === undefined ? sockets : [configured.replace(/^(?:tcp|unix):\/\//, '')];
  for (const [at, address] of wanted.entries()) {
    try {
      (await host.connect(address)).destroy();
      return engineAt(host, address);
    } catch (error) {
      if (at === wanted.length - 1)
        throw new Error(
          `No container engine answers on ${host.name} (${wanted.join(', ')}): ${(error as Error).message}`,
        );
    }
  }
  throw new Error('No socket is configured.');
}

const engineAt = (host: CommandHost, address: string): Engine => ({
  hostName: host.name,
  async call(call) {
    const answer = await send(await host.connect(address), call);
    if (!(answer instanceof IncomingMessage))
      throw new Error(`${address} is not the API of a container engine.`);
    const said = (await text(limited(answer))).trim();
    return { status: answer.statusCode ?? 0, body: said === '' ? null : parsed(said) };
  },
  async attach(call) {
    const answer = await send(await host.connect(address), { ...call, upgrade: true });
    if (!(answer instanceof IncomingMessage)) return answer;
    throw new Error(problemOf({ status: answer.statusCode ?? 0, body: parsed(await text(limited(answer))) }));
  },
});

function send(connection: Duplex, { method = 'GET', path, body, upgrade }: Call) {
  const content = body === undefined ? '' : JSON.stringify(body);
  return new Promise<IncomingMessage | Duplex>((resolve, reject) => {
    const sent = request({
      // The name that engines accept; the connection exists already.
      host: 'localhost',
      method,
      path: `${version}${path}`,
      createConnection: () => connection,
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(content),
        connection: upgrade ? 'Upgrade' : 'close',
        ...(upgrade && { upgrade: 'tcp' }),
      },
    });
    connection.on('error', reject);
    sent.on('error', reject);
    sent.on('response', resolve);
    sent.on('upgrade', (_response, socket: Duplex, head: Buffer) => {
      if (head.length > 0) socket.unshift(head);
      resolve(socket);
    });
    sent.end(content);
  });
}

async function* limited(stream: IncomingMessage): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const piece of stream as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > mostText) throw new Error('The answer of the container engine is too long.');
    yield piece;
  }
}

function parsed(said: string): unknown {
  try {
    return JSON.parse(said);
  } catch {
    return said;
  }
}

/** What the engine says about a failure. */
export function problemOf({ status, body }: Answer): string {
  const { message } = (typeof body === 'object' && body !== null ? body : { message: body }) as {
    message?: unknown;
  };
  return `${typeof message === 'string' ? message.slice(0, 300) : 'The container engine refused it'} (${status}).`;
}
