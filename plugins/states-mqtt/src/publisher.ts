import type { Log, PluginInstance, PublishedStates, StatePublisher } from '@holdfast/plugin-api';
import { type Broker, Connection, type Message } from './connection.js';
import { availability, birth, messagesOf, ownTopics, type Topics } from './messages.js';

/**
 * Keeps the retained messages of a broker as the latest states want them. Several instances may do so at once: each
 * removes only what the broker had retained before it connected.
 */
export function mqttStates(
  broker: Broker,
  { topics, log }: { topics: Topics; log: Log },
): PluginInstance<StatePublisher> {
  let wanted: ReadonlyMap<string, string> | null = null;
  const status = availability(topics);
  const online = [status, 'online'] as const;
  const sendAll = () => connection.retain([...(wanted ?? []), online]);
  const begin = async () => {
    if (!wanted) return;
    connection.subscribe([...ownTopics(topics), status, birth(topics)]);
    await sendAll();
  };
  const receive = ({ topic, payload, retained }: Message) => {
    // Another instance ended.
    if (topic === status && payload === 'offline') void connection.retain([online]);
    else if (topic === birth(topics) && payload === 'online' && !retained) void sendAll();
    else if (retained && isOwn(topic) && !wanted?.has(topic)) void connection.retain([[topic, '']]);
  };
  const isOwn = (topic: string) => topic !== status && topic !== birth(topics);
  const will = { topic: status, payload: 'offline' };
  const onConnect = () => void begin();
  const connection = new Connection({ broker, will, log, onConnect, onMessage: receive });
  return {
    async publish(states: PublishedStates) {
      const before = wanted;
      const now = messagesOf(states, topics);
      wanted = now;
      if (!before) return begin();
      const gone = [...before.keys()].filter((topic) => !now.has(topic));
      const changed = [...now].filter(([topic, payload]) => before.get(topic) !== payload);
      await connection.retain([...gone.map((topic) => [topic, ''] as const), ...changed]);
    },
    start: () => connection.open(),
    stop: () => connection.close(),
    health: async () => connection.problem,
  };
}
