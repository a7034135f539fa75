/**
 * Sends a message to the service behind a URL with one of its schemes. `*` takes every scheme that no other transport
 * lists.
 */
export interface NotificationTransport {
  schemes: string[];
  /** How a form builds a URL of this transport. */
  service?: NotificationService;
  /** With `*` also loaded, that one gets the URLs that `check` rejects, and those of settings from before this one. */
  yields?: boolean;
  /** One sentence about what is wrong with a URL, without its secrets, or null. Makes no connections. */
  check?(url: string): string | null;
  /**
   * Resolves when the receiver has accepted the message. Rejects with a DeliveryError; any other error counts as
   * retryable. `url` is the text as entered: some service URLs are not valid by the URL standard.
   */
  send(url: string, message: NotificationMessage, options: { signal: AbortSignal }): Promise<void>;
}

export interface NotificationMessage {
  /** The same for every attempt to deliver this message. */
  id: string;
  title: string;
  body: string;
  /** The format of `body`. HTML is sent to mail schemes only, as a whole page. */
  format: 'text' | 'html';
  type: 'info' | 'success' | 'warning' | 'failure';
  event: string;
  timestamp: string;
  data: Record<string, unknown>;
}

/** A service behind a transport, described so that a form can ask for its fields and build the URL. */
export interface NotificationService {
  /** The id of the plugin. */
  id: string;
  /** The name that people know. */
  name: string;
  fields: ServiceField[];
  /**
   * The URL as a URI template (RFC 6570, level 3) with the names of the fields: `{name}` is percent-encoded, `{+name}`
   * keeps the characters of a host, `{?a,b}` lists only those that have a value. `{scheme}` is one of the transport's
   * schemes; the first is the usual one.
   */
  template: string;
}

export interface ServiceField {
  /** Lower case, with underscores. */
  name: string;
  label: string;
  /** `host` is a name or an address, with a port if needed. A boolean is written `yes` or `no`. */
  kind: 'text' | 'secret' | 'number' | 'boolean' | 'host';
  required: boolean;
  /** What it is and where to find it. */
  help: string;
  /** A value that the transport accepts. */
  example: string;
}
