/** `SHA256:` and the rest in groups of four, so that two can be compared by eye. */
export const groupsOf = (fingerprint: string): string[] => {
  const at = fingerprint.indexOf(':') + 1;
  return [fingerprint.slice(0, at), ...(fingerprint.slice(at).match(/.{1,4}/gu) ?? [])].filter(Boolean);
};

/** The characters to type to accept it. */
export const lastSix = (fingerprint: string): string => fingerprint.slice(-6);
