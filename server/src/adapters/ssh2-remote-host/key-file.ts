/** `~/.ssh/authorized_keys` of the account; every call rejects with RemoteHostError. */
export interface KeyFile {
  /** Null when there is none. */
  read(): Promise<string | null>;
  /** Adds text at the end, or leaves the file as it was. Makes file (600) and folder (700) where they are missing. */
  append(text: string): Promise<void>;
  /** Cuts the file off where `text`, its end, begins; a file of nothing else goes. What is not the end stays. */
  cut(text: string): Promise<void>;
  /** Takes away that others may write file and folder: the host would not use it then. */
  tighten(): Promise<void>;
}

export const deployStep = 'add the key to .ssh/authorized_keys';
