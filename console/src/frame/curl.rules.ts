import { placeholders } from '../api/secrets.rules.js';
import type { Sent } from '../api/sent.js';
import { quoted } from '../ui/shell.rules.js';

/** The request as a command for bash. The token and the secrets are variables of the shell. */
export function curlOf({ method, url, ifMatch, body, hasFile }: Sent): string {
  const lines = [`curl ${method === 'GET' ? '' : `-X ${method} `}${quoted(url)}`];
  lines.push('-H "Authorization: Bearer $HOLDFAST_TOKEN"');
  if (ifMatch !== null) lines.push(`-H ${quoted(`If-Match: ${ifMatch}`)}`);
  if (hasFile) lines.push('-F keyfile=@FILE');
  else if (body !== null) {
    lines.push(`-H 'Content-Type: application/json'`);
    const text = quoted(JSON.stringify(body));
    lines.push(`--data-raw ${text.replace(placeholders, (_, name: string) => `'"$${name}"'`)}`);
  }
  return lines.join(' \\\n  ');
}
