import type { Express, Response } from 'express';

/** Characters. */
const long = 16_384;

/** Frozen bodies that several requests share are serialised only once. */
const shared = new WeakMap<object, Buffer>();

/**
 * Sends long responses as strings. Express copies each into a Buffer outside the heap, which triggers
 * frequent full garbage collections during browsing. `app.response` is of this app alone, for such changes; ts-rest calls these
 * methods itself.
 */
export function sendLongTexts(app: Express): void {
  const { send, json } = app.response;
  app.response.send = function (this: Response, body: unknown): Response {
    const isPlain = this.statusCode === 200 && this.req.method !== 'HEAD' && this.get('Content-Type');
    if (typeof body !== 'string' || body.length < long || !isPlain) return send.call(this, body);
    this.set('Content-Length', String(Buffer.byteLength(body)));
    this.end(body, 'utf8');
    return this;
  };
  app.response.json = function (this: Response, body: unknown): Response {
    if (typeof body !== 'object' || body === null || !Object.isFrozen(body)) return json.call(this, body);
    const bytes = shared.get(body) ?? Buffer.from(JSON.stringify(body));
    shared.set(body, bytes);
    if (!this.get('Content-Type')) this.set('Content-Type', 'application/json; charset=utf-8');
    return send.call(this, bytes);
  };
}
