import type { PublishedStates, RepositoryState } from '@holdfast/plugin-api';

export interface Topics {
  /** Of Home Assistant's discovery. */
  prefix: string;
  /** Of this installation: the first part of its topics, and of the ids of its entities. */
  node: string;
}

export const availability = ({ node }: Topics): string => `${node}/status`;
export const birth = ({ prefix }: Topics): string => `${prefix}/status`;

/** Everything that is retained for this installation, apart from its availability. */
export const ownTopics = ({ prefix, node }: Topics): string[] => [
  `${prefix}/+/${node}/+/config`,
  `${node}/repository/+`,
];

interface Entity {
  component: 'binary_sensor' | 'sensor';
  key: string;
  name: string;
  look: { device_class: string } | { icon: string };
}

const isProtected: Entity = {
  component: 'binary_sensor',
  key: 'protected',
  name: 'Protected',
  look: { icon: 'mdi:shield-check' },
};
const ofRepository: readonly Entity[] = [
  isProtected,
  { component: 'binary_sensor', key: 'late', name: 'Late', look: { device_class: 'problem' } },
  { component: 'binary_sensor', key: 'damaged', name: 'Damaged', look: { device_class: 'problem' } },
  {
    component: 'sensor',
    key: 'newest_archive',
    name: 'Newest archive',
    look: { device_class: 'timestamp' },
  },
  {
    component: 'sensor',
    key: 'last_verified_restore',
    name: 'Last verified restore',
    look: { device_class: 'timestamp' },
  },
];

/** The retained messages that show these states, by topic. */
export function messagesOf(states: PublishedStates, topics: Topics): Map<string, string> {
  const { node } = topics;
  const { repositories, ...all } = states;
  const messages = new Map<string, string>();
  const add = (topic: string, value: object) => messages.set(topic, JSON.stringify(value));
  const device = { identifiers: [node], name: 'Holdfast', manufacturer: 'Holdfast' };
  const overall = configOf(isProtected, { topics, object: 'all', state: `${node}/state`, device });
  add(overall.topic, { ...overall.config, json_attributes_topic: `${node}/state` });
  add(`${node}/state`, all);
  for (const repository of repositories) {
    const object = `repository_${repository.id}`;
    const state = `${node}/repository/${repository.id}`;
    const own = {
      identifiers: [`${node}_${object}`],
      name: shortName(repository),
      manufacturer: 'Holdfast',
      via_device: node,
    };
    for (const entity of ofRepository) {
      const { topic, config } = configOf(entity, { topics, object, state, device: own });
      add(topic, config);
    }
    add(state, stateOf(repository));
  }
  return messages;
}

interface Place {
  topics: Topics;
  object: string;
  state: string;
  device: object;
}

/** A null becomes "None", which Home Assistant shows as unknown. */
function configOf({ component, key, name, look }: Entity, { topics, object, state, device }: Place) {
  const value = component === 'sensor' ? `value_json.${key}` : `'ON' if value_json.${key} else 'OFF'`;
  const { prefix, node } = topics;
  return {
    topic: `${prefix}/${component}/${node}/${object}_${key}/config`,
    config: {
      name,
      unique_id: `${node}_${object}_${key}`,
      state_topic: state,
      value_template: `{{ ${value} }}`,
      availability_topic: availability(topics),
      ...look,
      device,
      origin: { name: 'Holdfast' },
    },
  };
}

const stateOf = ({ protected: isProtected, late, damaged, ...times }: RepositoryState) => ({
  protected: isProtected,
  late,
  damaged,
  newest_archive: times.newestArchive,
  last_verified_restore: times.lastVerifiedRestore,
});

const longestName = 80;

/** One line, without control and direction characters. */
function shortName({ id, name }: RepositoryState): string {
  const letters = [
    ...name
      .slice(0, 8 * longestName)
      .replace(/[\p{C}\s]+/gu, ' ')
      .trim(),
  ];
  const cut = letters.length > longestName ? [...letters.slice(0, longestName - 1), '…'] : letters;
  return cut.join('') || `Repository ${id}`;
}
