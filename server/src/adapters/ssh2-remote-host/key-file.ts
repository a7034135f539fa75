/** `~/.ssh/authorized_keys` of the account. Every call may reject with RemoteHostError. */
export interface KeyFile {
  /** Null if there is no such file. */
  read(): Promise<string | null>;
  /**
   * Appends text, or leaves the file unchanged on error. Creates the file (600) and the folder (700) if
   * missing.
   */
  append(text: string): Promise<void>;
  /**
   * Removes `text` from the end of the file, and the file if nothing is left. Does nothing if the file does
   * not end with it.
   */
  cut(text: string): Promise<void>;
  /**
   * Removes write permission of other users from the file and the folder: sshd would ignore the file
   * otherwise.
   */
  tighten(): Promise<void>;
}

export const deployStep = 'add the key to .ssh/authorized_keys';
