/** The user who makes the request, as the access token identifies them. */
export interface Caller {
  userId: number;
  username: string;
  isAdmin: boolean;
  /** The token may only read. */
  readOnly: boolean;
  tokenId: number;
}

/** A caller as the access check sees it. */
export interface SignedInCaller extends Caller {
  /** Until the password is changed, only the routes for the user's own account are open. */
  mustChangePassword: boolean;
}
