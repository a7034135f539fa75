/**
 * Everything comes from this service, and no text becomes code. Workers are named, because Chromium would ask
 * `default-src` for them.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types holdfast-worker',
].join('; ');

/** Names that every current browser knows or passes over in silence. The page may write to the clipboard. */
const unused = [
  ...['accelerometer', 'autoplay', 'camera', 'clipboard-read', 'display-capture', 'encrypted-media'],
  ...['fullscreen', 'geolocation', 'gyroscope', 'hid', 'magnetometer', 'microphone', 'midi', 'payment'],
  ...['picture-in-picture', 'screen-wake-lock', 'serial', 'usb'],
  'xr-spatial-tracking',
];

/** Sent with the page and all its files, because a worker follows the policy of its script. */
export const consoleHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy': policy,
  'Permissions-Policy': unused.map((name) => `${name}=()`).join(', '),
};
