/** The API for state publishers: they show the state of the backups elsewhere, such as in home automation. */

/** Times are ISO 8601 in UTC; null: not yet. */
export interface RepositoryState {
  /** A whole number that no other repository ever gets. */
  id: number;
  /** As users wrote it: any characters, and any length. */
  name: string;
  protected: boolean;
  late: boolean;
  damaged: boolean;
  newestArchive: string | null;
  lastVerifiedRestore: string | null;
}

export interface PublishedStates {
  /** Whether all repositories are. */
  protected: boolean;
  /** The worst of any repository: `damaged`, `late`, `unknown` or `protected`; `empty` without repositories. */
  state: string;
  /** The same in a sentence, without names. */
  text: string;
  repositories: readonly RepositoryState[];
}

/** Shows states to a receiver. Each instance of the service has one, and they show the same. */
export interface StatePublisher {
  /**
   * Replaces everything that was shown before, also by earlier processes. Resolves soon: while the receiver is down, the
   * latest states wait for it.
   */
  publish(states: PublishedStates): Promise<void>;
}
