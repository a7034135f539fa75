import { DeliveryError, definePlugin } from '@holdfast/plugin-api';
import { z } from 'zod';

/** Notes by a carrier whose office takes them over HTTP: `carrier://office/route`. */
export default definePlugin({
  kind: 'notify',
  configuration: z.object({ sender: z.string().default('Holdfast') }),
  create: ({ configuration: { sender }, fetch }) => ({
    schemes: ['carrier'],
    check: (url) => (URL.canParse(url) ? null : 'A carrier needs a URL such as carrier://office/route.'),
    async send(url, message, { signal }) {
      const answer = await fetch(url.replace(/^carrier:/i, 'http:'), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ sender, note: `${message.title}\n${message.body}` }),
        signal,
      });
      await answer.body?.cancel();
      if (answer.ok) return;
      const retryable = answer.status >= 500;
      throw new DeliveryError(`The carrier's office answered ${answer.status}.`, { retryable });
    },
  }),
});
