/** A sheet as it is laid out: the parts in order, each kept together on one page if it fits there. */
export interface SheetDocument {
  title: string;
  /** Below the title. */
  lead: readonly string[];
  parts: readonly SheetPart[];
  /** At the foot of each page. */
  foot: string;
}

export interface SheetPart {
  title: string;
  facts: readonly (readonly [label: string, value: string])[];
  notes: readonly string[];
  /** Lines for a shell, to be copied as they are. */
  commands: readonly string[];
  /** A text that a camera reads. */
  code: { label: string; text: string } | null;
}

/** Puts a sheet into files; adapters in the server implement it. */
export interface SheetPress {
  /** A PDF of A4 pages. Its characters are those of Windows-1252. */
  pdf(sheet: SheetDocument): Promise<Uint8Array>;
  /** Encrypted for a passphrase, in the format of age. */
  seal(content: Uint8Array, passphrase: string): Promise<Uint8Array>;
}
