import fc from 'fast-check';

/** One entry of an archive, as make-archives.py takes it. Names are bytes as latin1. */
export interface HostileEntry {
  path: string;
  type: 'file' | 'directory' | 'symlink' | 'hardlink' | 'fifo' | 'device';
  target?: string;
  content?: string;
  zeros?: number;
  mode?: number;
  raw?: true;
  damaged?: true;
}

export interface HostileCase {
  entries: HostileEntry[];
  /** Nothing in it leads elsewhere: it is to be restored. */
  sound: boolean;
  remote: boolean;
  stripComponents: number;
  /** Chosen among the first parts of the paths; null: all. */
  chosen: number | null;
  conflict: 'overwrite' | 'skip_existing' | 'none';
}

/** In every name that an archive brings, so that it is found wherever it went. */
export const mark = 'hfx';
/** What stands at the destination before, and in archives as zeros after a repair. */
export const wholeName = `${mark}-whole`;
/** In the names of files that no restore may bring. */
export const zerosName = `${mark}-zeros`;

const anyOf = fc.constantFrom;
const long = `${mark}-${'l'.repeat(240)}`;
const part = anyOf(`${mark}-a`, `${mark}-b`, `${mark}-\xff\xfe`, `..${mark}`, long, `${mark}\n c`);
const path = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
const longest = fc.constant(`${mark}/${`${'p'.repeat(99)}/`.repeat(40)}`.slice(0, 4090));
const modes = anyOf(0o644, 0o600, 0o4755, 0o2755, 0o6711);

const unique = (entries: HostileEntry[]) =>
  entries.map((entry, n) => ({ ...entry, path: `${entry.path}-${n}` }));

const file = (at: fc.Arbitrary<string>): fc.Arbitrary<HostileEntry> =>
  fc.record({
    path: at,
    type: fc.constant('file' as const),
    content: anyOf('', 'evil', 'x'.repeat(70_000)),
    mode: modes,
  });
const plain: fc.Arbitrary<HostileEntry> = fc.oneof(
  { arbitrary: file(path), weight: 6 },
  { arbitrary: path.map((at) => ({ path: at, type: 'directory' as const })), weight: 2 },
  {
    arbitrary: fc.record({
      path,
      type: fc.constant('symlink' as const),
      target: anyOf('/etc/hostname', '..', 'x'),
    }),
    weight: 2,
  },
  { arbitrary: fc.record({ path, type: anyOf('fifo' as const, 'device' as const) }), weight: 1 },
  { arbitrary: path.map((at) => ({ path: at, type: 'file' as const, zeros: 3_000_000 })), weight: 1 },
  { arbitrary: file(longest), weight: 1 },
);

/** The ways out. `victim` is a folder that no archive has to do with, absolute. */
function hostile(victim: string): fc.Arbitrary<HostileEntry[]> {
  const up = fc.integer({ min: 1, max: 9 }).map((count) => '../'.repeat(count));
  const toVictim = `${'../'.repeat(24)}${victim.slice(1)}`;
  const out = fc.oneof(
    fc.tuple(path, up, part).map(([at, dots, name]) => `${at}/${dots}${name}`),
    fc
      .tuple(path, anyOf('secret', `${mark}-planted`, 'open/in'))
      .map(([at, name]) => `${at}/${toVictim}/${name}`),
  );
  const absolute = anyOf('secret', `${mark}-planted`).map((name) => `${victim}/${name}`);
  const source = fc.oneof(
    anyOf(`${toVictim}/secret`, `x/${toVictim}/secret`, `${victim}/secret`, 'gone'),
    fc.tuple(up, part).map(([dots, name]) => dots + name),
  );
  const way = anyOf(`${mark}-way`, `${mark}-a/${mark}-way`, `${mark}-a/${mark}-b/way`);
  const link = (at: string, target: string): HostileEntry => ({ path: at, type: 'symlink', target });
  const below = (at: string): fc.Arbitrary<HostileEntry> =>
    anyOf<HostileEntry>(
      { path: `${at}/${mark}-planted`, type: 'file', content: 'evil' },
      { path: `${at}/secret`, type: 'file', content: 'evil' },
      { path: `${at}/open`, type: 'directory', mode: 0o777 },
      { path: `${at}/${mark}-folder`, type: 'directory' },
      { path: `${mark}-link`, type: 'hardlink', target: `${at}/secret` },
      { path: `${at}/${mark}-link`, type: 'symlink', target: '/' },
    );
  const target = anyOf(victim, toVictim);
  return fc.oneof(
    fc
      .tuple(out, anyOf('file', 'directory', 'symlink', 'fifo'), fc.boolean())
      .map(([at, type, raw]) => [
        { path: at, type, content: 'evil', target: 'x', ...(raw ? { raw: true } : {}) } as HostileEntry,
      ]),
    absolute.map((at): HostileEntry[] => [{ path: at, type: 'file', content: 'evil', raw: true }]),
    fc
      .tuple(path, source)
      .map(([at, to]): HostileEntry[] => [{ path: `${at}-h`, type: 'hardlink', target: to }]),
    fc.tuple(way, target).chain(([at, to]) => below(at).map((entry) => [link(at, to), entry])),
    fc.tuple(way, target).chain(([at, to]) => below(at).map((entry) => [entry, link(at, to)])),
    fc
      .tuple(way, target)
      .chain(([at, to]) =>
        below(`${mark}-second`).map((entry) => [link(at, to), link(`${mark}-second`, at), entry]),
      ),
    fc
      .tuple(path, target)
      .map(([at, to]): HostileEntry[] => [
        { path: at, type: 'directory' },
        link(at, to),
        { path: `${at}/${mark}-in`, type: 'file', content: 'evil' },
      ]),
    path.map((at): HostileEntry[] => [
      { path: at, type: 'file', content: 'evil' },
      { path: `${at}/${mark}-in`, type: 'file', content: 'evil' },
    ]),
  );
}

const damaged = fc
  .tuple(anyOf('', `${mark}-a/`), fc.boolean())
  .map(([folder, linked]): HostileEntry[] => [
    { path: `${folder}${zerosName}`, type: 'file', zeros: 3000, damaged: true },
    { path: wholeName, type: 'file', zeros: 3000, damaged: true },
    ...(linked
      ? [{ path: `${zerosName}-link`, type: 'hardlink' as const, target: `${folder}${zerosName}` }]
      : []),
  ]);

/** The same for the same seed. */
export function hostileCases(
  victims: { here: string; there: string },
  seed: number,
  count: number,
): HostileCase[] {
  const settings = {
    stripComponents: fc.integer({ min: 0, max: 4 }),
    chosen: fc.oneof({ arbitrary: fc.constant(null), weight: 4 }, { arbitrary: fc.nat(6), weight: 1 }),
    conflict: anyOf('overwrite', 'skip_existing', 'none'),
  } as const;
  const some = fc.array(plain, { maxLength: 4 }).map(unique);
  const linked = (entries: HostileEntry[]): HostileEntry[] => {
    const first = entries.find(({ type }) => type === 'file');
    return first ? [...entries, { path: `${mark}-h`, type: 'hardlink', target: first.path }] : entries;
  };
  const sound = fc
    .tuple(fc.array(plain, { minLength: 1, maxLength: 5 }).map(unique), fc.boolean())
    .map(([entries, link]) => ({ entries: link ? linked(entries) : entries, sound: true }));
  const of = (remote: boolean) => {
    const bad = fc.oneof(
      { arbitrary: hostile(remote ? victims.there : victims.here), weight: 5 },
      { arbitrary: damaged, weight: 1 },
    );
    const mixed = fc
      .tuple(some, bad, some)
      .map(([a, b, c]) => ({ entries: [...a, ...b, ...c], sound: false }));
    const archive = fc.oneof({ arbitrary: sound, weight: 1 }, { arbitrary: mixed, weight: 4 });
    return fc
      .tuple(archive, fc.record(settings))
      .map(([made, rest]): HostileCase => ({ ...made, ...rest, remote }));
  };
  const one = fc.oneof({ arbitrary: of(false), weight: 2 }, { arbitrary: of(true), weight: 1 });
  return fc.sample(one, { seed, numRuns: count });
}
