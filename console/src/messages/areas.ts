/** The areas of messages, as the English files have them. Other languages have the same type. */
export interface Messages {
  common: typeof import('./en/common.js').default;
  frame: typeof import('./en/frame.js').default;
  home: typeof import('./en/home.js').default;
  activity: typeof import('./en/activity.js').default;
  repository: typeof import('./en/repository.js').default;
  folders: typeof import('./en/folders.js').default;
  channels: typeof import('./en/channels.js').default;
  plan: typeof import('./en/plan.js').default;
  schedules: typeof import('./en/schedules.js').default;
  add: typeof import('./en/add.js').default;
}
