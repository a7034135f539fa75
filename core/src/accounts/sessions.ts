import type { SessionView } from '@holdfast/contracts';
import { hashOfAccessToken, makeAccessToken } from './access-token.rules.js';
import type { StorageSession } from '../ports/storage.js';
import { type TokenRow, tokens } from '../schema/tables.js';
import type { CoreSettings, Dependencies } from '../dependencies.js';

/** The part of the settings that sessions know. */
export interface SessionSettings {
  settings: Pick<CoreSettings, 'accessTokenMinutes'>;
}

export interface IssuedToken {
  row: TokenRow;
  /** Given to the caller once; the storage has its hash. */
  accessToken: string;
}

type TokenFacts = Pick<TokenRow, 'user_id' | 'kind' | 'name' | 'read_only' | 'created_at' | 'expires_at'>;

export async function issueToken(storage: StorageSession, facts: TokenFacts): Promise<IssuedToken> {
  const accessToken = makeAccessToken();
  const row = await storage.insert(tokens, { ...facts, hash: hashOfAccessToken(accessToken) });
  return { row, accessToken };
}

/** A token of a login, with the configured life. */
export function issueSession(
  { storage, clock, settings }: Pick<Dependencies, 'storage' | 'clock'> & SessionSettings,
  userId: number,
): Promise<IssuedToken> {
  const now = clock.now();
  return issueToken(storage, {
    user_id: userId,
    kind: 'session',
    name: null,
    read_only: false,
    created_at: now,
    expires_at: now + settings.accessTokenMinutes * 60_000,
  });
}

export const sessionView = (
  { accessToken }: IssuedToken,
  { settings, mustChangePassword }: SessionSettings & { mustChangePassword: boolean },
): SessionView => ({
  access_token: accessToken,
  token_type: 'bearer',
  expires_in: settings.accessTokenMinutes * 60,
  must_change_password: mustChangePassword,
});
