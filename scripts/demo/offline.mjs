/** With `--import`: connections to other machines are refused before a name is looked up. */
import { Socket } from 'node:net';

const here = /^(127\.|localhost$|::1$|\[::1\]$)/;
const { connect } = Socket.prototype;
Socket.prototype.connect = function connectHere(...words) {
  const [first, second] = Array.isArray(words[0]) ? words[0] : words;
  const { host, path, port } = typeof first === 'object' ? first : { port: first, host: second };
  if (path || !host || here.test(host)) return connect.apply(this, words);
  const error = Object.assign(new Error(`connect ENETUNREACH ${host}: a demo`), {
    code: 'ENETUNREACH',
    port,
  });
  process.nextTick(() => this.destroy(error));
  return this;
};
