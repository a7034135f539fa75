/** The sidebar of the site, by reader. Decisions are listed on a page of their own. */
export const sections = {
  Start: ['docs/start/install.md', 'docs/start/first-backup.md', 'docs/start/import.md'],
  Guides: [
    'sources',
    'databases',
    'storage',
    'schedules',
    'restore',
    'notifications',
    'verify',
    'lost-server',
    'troubleshooting',
  ].map((name) => `docs/guides/${name}.md`),
  Administration: [
    'configuration',
    'reverse-proxy',
    'upgrade',
    'users-and-security',
    'monitoring',
    'scaling',
    'command-line',
  ]
    .map((name) => `docs/admin/${name}.md`)
    .concat('CHANGELOG.md'),
  Developers: ['api', 'messages', 'plugins', 'sources'].map((name) => `docs/developers/${name}.md`),
  Contributing: [
    'CONTRIBUTING.md',
    'SECURITY.md',
    ...['architecture', 'reliability', 'style', 'decisions/README'].map(
      (name) => `docs/contributing/${name}.md`,
    ),
  ],
};
