/** The areas of messages, as the English files have them. Other languages have the same type. */
export interface Messages {
  common: typeof import('./en/common.js').default;
  frame: typeof import('./en/frame.js').default;
  home: typeof import('./en/home.js').default;
  activity: typeof import('./en/activity.js').default;
  repository: typeof import('./en/repository.js').default;
  folders: typeof import('./en/folders.js').default;
  plots: typeof import('./en/plots.js').default;
  maintenance: typeof import('./en/maintenance.js').default;
  drills: typeof import('./en/drills.js').default;
  archives: typeof import('./en/archives.js').default;
  browse: typeof import('./en/browse.js').default;
  restore: typeof import('./en/restore.js').default;
  channels: typeof import('./en/channels.js').default;
  plan: typeof import('./en/plan.js').default;
  schedules: typeof import('./en/schedules.js').default;
  settings: typeof import('./en/settings.js').default;
  notifications: typeof import('./en/notifications.js').default;
  incidents: typeof import('./en/incidents.js').default;
  hosts: typeof import('./en/hosts.js').default;
  sources: typeof import('./en/sources.js').default;
  scripts: typeof import('./en/scripts.js').default;
  account: typeof import('./en/account.js').default;
  people: typeof import('./en/people.js').default;
  audit: typeof import('./en/audit.js').default;
  selfBackup: typeof import('./en/selfBackup.js').default;
  recovery: typeof import('./en/recovery.js').default;
  system: typeof import('./en/system.js').default;
  exchange: typeof import('./en/exchange.js').default;
  configuration: typeof import('./en/configuration.js').default;
  movingIn: typeof import('./en/movingIn.js').default;
  add: typeof import('./en/add.js').default;
}
