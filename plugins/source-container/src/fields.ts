import type { SourceField } from '@holdfast/plugin-api/source';

const lines = (field: Pick<SourceField, 'name' | 'label' | 'example' | 'help'>): SourceField => ({
  ...field,
  kind: 'lines',
  required: false,
});

export const fields: SourceField[] = [
  lines({
    name: 'stop',
    label: 'Containers to stop',
    example: 'shop-app-1',
    help: 'One name per line. They are stopped in this order, and started again in the reverse order.',
  }),
  lines({
    name: 'pause',
    label: 'Containers to pause',
    example: 'shop-worker-1',
    help: 'One name per line. Faster than stopping, but what a program holds in memory is not in the backup.',
  }),
  lines({
    name: 'stop_labels',
    label: 'Labels of containers to stop',
    example: 'holdfast.stop=true',
    help: 'One label per line, with or without a value. Every running container that has it is stopped.',
  }),
  lines({
    name: 'volumes',
    label: 'Volumes',
    example: 'shop-app-1:/data',
    help: 'A container for all its volumes, or a container, a colon and the path of one in it.',
  }),
  lines({
    name: 'exclude',
    label: 'Left out',
    example: 'shop-app-1:/data/cache',
    help: 'A container, a colon and a path in it, one per line.',
  }),
  {
    name: 'stop_seconds',
    label: 'Seconds to stop',
    kind: 'number',
    required: false,
    example: '60',
    help: 'Then the engine kills the container. Without it: what the container is set to, usually 10.',
  },
];
