/** What rarely belongs in a backup, by id: patterns as Borg reads them. */
export const excludePresets = {
  caches: ['*/.cache'],
  trash: ['*/.local/share/Trash', '*/.Trash-*'],
  packages: ['*/node_modules'],
  python: ['*/__pycache__', '*/.venv'],
  containers: [
    '*/.local/share/containers/storage',
    '/var/lib/containers/storage',
    '/var/lib/docker/overlay2',
  ],
} as const satisfies Record<string, readonly string[]>;

export type ExcludePresetId = keyof typeof excludePresets;
export const excludePresetIds = Object.keys(excludePresets) as [ExcludePresetId, ...ExcludePresetId[]];
