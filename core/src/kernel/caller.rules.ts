/** Who asks: the user behind a valid access token. */
export interface Caller {
  userId: number;
  username: string;
  isAdmin: boolean;
  /** The token allows only what reads. */
  readOnly: boolean;
  tokenId: number;
}

/** A caller as the access check sees it. */
export interface SignedInCaller extends Caller {
  /** Until the password is changed, only the routes of the own account are open. */
  mustChangePassword: boolean;
}
