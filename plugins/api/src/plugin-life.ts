/** One thing that was looked at, in words for people, without secrets. */
export interface Finding {
  status: 'ok' | 'warning' | 'failed';
  text: string;
  /** What to do about it. */
  advice?: string;
}

/** What a plugin found where it would work. */
export interface Examination {
  findings: Finding[];
  /** The clock of the server behind the plugin, milliseconds since the epoch. */
  serverTime?: number;
  /** Of a storage: the schema version that is there, null for none, and the newest one of the schema that it got. */
  schema?: { stored: number | null; newest: number };
}

/** How a start that takes long says that it goes on. */
export interface SignsOfLife {
  /** At least every other second; the service may give up a start without a sign after five. */
  stillWorking(): void;
}

/** The optional life-cycle: only the host calls these, `start` once before and `stop` once after all use. */
export interface PluginLife {
  start?(signs?: SignsOfLife): Promise<void>;
  stop?(): Promise<void>;
  /** Resolves to null when all is well, else to one sentence. */
  health?(): Promise<string | null>;
  /**
   * Looks, without a `start` before it, at what `start` would find; makes and changes nothing. A driver is also asked
   * while it runs, often: `/health` tells its warnings to everybody.
   */
  examine?(): Promise<Examination>;
}
