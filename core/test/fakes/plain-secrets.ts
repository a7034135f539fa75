/** Seals without a key, so that a test can read. */
export const plainSecrets = {
  seal: (purpose: string, plain: string) => `sealed:${purpose}:${Buffer.from(plain).toString('base64')}`,
  open: (purpose: string, envelope: string) =>
    Buffer.from(envelope.slice(`sealed:${purpose}:`.length), 'base64').toString(),
};
