import type { SourceField } from '@holdfast/plugin-api/source';

export const fields: SourceField[] = [
  {
    name: 'folders',
    label: 'Folders',
    kind: 'lines',
    required: false,
    example: '/srv',
    help: 'Absolute paths, one per line, on Btrfs, LVM or ZFS. Without them: all source directories.',
  },
  {
    name: 'lvm_size',
    label: 'Space for LVM snapshots',
    kind: 'text',
    required: false,
    example: '20%',
    help: 'For data that changes during the backup: a part of the volume, or a size such as 5G. Without it: 10%. Thin volumes need none.',
  },
];
