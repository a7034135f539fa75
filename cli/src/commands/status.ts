import { answer, connect, type ServiceOptions } from '../service.js';
import { print, printJson } from '../terminal.js';
import { time } from '../text.js';

const classes = { protected: 0, damaged: 1, late: 1, unknown: 2, empty: 2 } as const;

/** 0: everything is protected, 1: there is a problem, 2: that can't be said. */
export async function status({ json, ...service }: ServiceOptions & { json?: boolean }): Promise<number> {
  const client = await connect(service, { within: 10 });
  const overview = await answer(client.GET('/api/overview'));
  const { headline, attention, attention_total: total } = overview;
  const { unreachable, drill } = headline.params as Record<string, number | undefined>;
  const isKnown = unreachable || drill || /^overview_(unreachable|drill_failed)$/.test(headline.code);
  const code = headline.state === 'unknown' && isKnown ? 1 : classes[headline.state];
  if (json) {
    printJson(overview);
    return code;
  }
  print(headline.text, { tone: code === 0 ? 'good' : 'bad' });
  for (const { object, text, snoozed_until: until } of attention) {
    const name = text.includes(object.name) ? '' : `${object.name}: `;
    const local = text.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, time);
    print(`${name}${local}${until ? ` (snoozed until ${time(until)})` : ''}`, { indent: 2 });
  }
  if (total > attention.length) print(`and ${total - attention.length} more`, { indent: 2 });
  return code;
}
