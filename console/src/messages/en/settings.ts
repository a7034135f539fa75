/** What the pages of the settings are for, and texts that they share. */
export default {
  readOnly: 'Only administrators can change these settings.',
  for: {
    notifications: 'Who is notified when a backup is late, fails or works again.',
    incidents: 'Problems: since when, what was tried, and who was notified.',
    hosts: 'Other machines that store repositories or are backed up, and the SSH key for them.',
    sourceSets: 'Source directories that several repositories share.',
    scripts: 'Commands that run before and after backups, such as a database dump.',
    people: 'Who can sign in, and tokens for scripts and programs.',
    movingIn: 'Find your existing repositories and take over their backups.',
    recovery: 'How to open your backups without this server.',
    audit: 'Who did what, when and from where.',
    system: 'Versions, health, plugins and the cache.',
  },
  tokens: 'Tokens',
  tokensFor: 'For scripts and programs that act as you.',
  saveChanges: 'Save changes',
  usedBy: 'Used by',
  usedByNobody: 'Not used.',
  gone: 'It no longer exists.',
};
