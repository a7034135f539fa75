/** The result of one check, in a sentence for people, without secrets. */
export interface Finding {
  status: 'ok' | 'warning' | 'failed';
  text: string;
  /** What to do about it. */
  advice?: string;
}

/** What a plugin found in its environment. */
export interface Examination {
  findings: Finding[];
  /** The clock of the server behind the plugin, milliseconds since the epoch. */
  serverTime?: number;
  /**
   * Only for a storage: the stored schema version, null if there is none, and the newest version of the given schema.
   */
  schema?: { stored: number | null; newest: number };
}

/** How a slow start reports that it is still running. */
export interface SignsOfLife {
  /** Call it at least every two seconds; the service may give up a start after five seconds without a call. */
  stillWorking(): void;
}

/** The optional life cycle. Only the host calls it: `start` once before all use, `stop` once after. */
export interface PluginLife {
  start?(signs?: SignsOfLife): Promise<void>;
  stop?(): Promise<void>;
  /** Resolves to null if healthy, otherwise to one sentence. */
  health?(): Promise<string | null>;
  /**
   * Checks, without a prior `start`, what `start` would find; creates and changes nothing. A driver is also examined
   * often while it runs: `/health` shows its warnings to everyone.
   */
  examine?(): Promise<Examination>;
}
