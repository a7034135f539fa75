import { DeliveryError, definePlugin } from '@holdfast/plugin-api';
import { z } from 'zod';

export default definePlugin({
  kind: 'notify',
  configuration: z.object({}),
  create: ({ fetch }) => ({
    schemes: ['ntfy', 'ntfys'],
    async send(url, { title, body }, { signal }) {
      const target = url.replace(/^ntfy/i, 'http');
      const answer = await fetch(target, { method: 'POST', body: `${title}\n\n${body}`, signal });
      await answer.body?.cancel();
      if (answer.ok) return;
      throw new DeliveryError(`ntfy answered ${answer.status}.`, { retryable: answer.status >= 500 });
    },
  }),
});
