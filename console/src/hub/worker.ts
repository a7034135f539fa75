import { Hub } from './hub.js';

const scope = self as unknown as { onconnect: (event: MessageEvent) => void };
/** Its address is `<base>/assets/worker-….js`. */
const base = import.meta.env.DEV
  ? location.origin
  : new URL(/* @vite-ignore */ '..', import.meta.url).href.replace(/\/$/, '');
const hub = new Hub(base);
scope.onconnect = ({ ports }) => {
  if (ports[0]) hub.join(ports[0]);
};
