import type { Config } from '../config.ts';

export type Headers = Readonly<Record<string, string>>;

const NO_EMBEDDING = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** For every response except pages: loads nothing, and cannot be framed. Pages have the policy of proxy.ts. */
export const STRICT_POLICY = `default-src 'none'; ${NO_EMBEDDING}`;

/** For built files: a worker's script has the policy it was loaded with, and imports its chunks. */
export const BUILT_FILE_POLICY = `default-src 'none'; script-src 'self'; ${NO_EMBEDDING}`;

/** For a self-contained page: its style and script are allowed by digest. */
export const selfContainedPolicy = (style: string, script: string): string =>
  `default-src 'none'; style-src '${style}'; script-src '${script}'; ${NO_EMBEDDING}`;

/**
 * For the viewer of shares, which reads those of other services: by HTTPS, or on this machine if this service is there too.
 * @param script the digest of its inline script
 */
export const viewerPolicy = (script: string, isLocal: boolean): string =>
  [
    "default-src 'none'",
    `script-src 'self' '${script}'`,
    "style-src 'self'",
    "img-src 'self'",
    `connect-src 'self' https:${isLocal ? ' http://localhost:* http://127.0.0.1:*' : ''}`,
    NO_EMBEDDING,
  ].join('; ');

const ONE_YEAR_SECONDS = 31_536_000;

const HSTS: Readonly<Record<Config['HSTS'], Headers>> = {
  subdomains: { 'strict-transport-security': `max-age=${ONE_YEAR_SECONDS}; includeSubDomains` },
  host: { 'strict-transport-security': `max-age=${ONE_YEAR_SECONDS}` },
  off: {},
};

/** Headers of every response of the process. */
export const securityHeaders = ({ PUBLIC_URL, HSTS: hsts }: Pick<Config, 'PUBLIC_URL' | 'HSTS'>): Headers => ({
  'content-security-policy': STRICT_POLICY,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  ...(PUBLIC_URL?.startsWith('https:') && HSTS[hsts]),
});

/** Browser features that no page uses. */
export const NO_FEATURES = [
  'accelerometer',
  'browsing-topics',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'usb',
]
  .map((feature) => `${feature}=()`)
  .join(', ');
