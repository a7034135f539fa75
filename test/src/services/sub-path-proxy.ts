import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SubPathProxy {
  /** Without the path. */
  url: string;
  close(): void;
}

/** A reverse proxy that publishes a service below a path, and passes that path on or removes it. */
export async function startSubPathProxy(
  target: string,
  { path, strips }: { path: string; strips: boolean },
): Promise<SubPathProxy> {
  const server = createServer((req, res) => {
    const { url = '', method, headers } = req;
    if (url !== path && !url.startsWith(`${path}/`)) {
      res.writeHead(404).end('nothing of this service is published here');
      return;
    }
    const forwarded = { ...headers, 'x-forwarded-for': '192.0.2.7', 'x-forwarded-host': headers.host };
    const rest = strips ? url.slice(path.length) || '/' : url;
    const asked = request(target, { path: rest, method, headers: forwarded }, (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(res);
    });
    asked.on('error', () => res.destroy());
    req.pipe(asked);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
