export type Headers = Readonly<Record<string, string>>;

const NOTHING_ELSE = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** For every answer that is no page: it loads nothing, and is shown in no frame. Pages have the policy of proxy.ts instead. */
export const STRICT_POLICY = `default-src 'none'; ${NOTHING_ELSE}`;

/** For built files: a worker's script has the policy that it came with, and loads its parts. */
export const BUILT_FILE_POLICY = `default-src 'none'; script-src 'self'; ${NOTHING_ELSE}`;

/** Of a page that is one document with its style and script inside, each allowed by its digest. */
export const selfContainedPolicy = (style: string, script: string): string =>
  `default-src 'none'; style-src '${style}'; script-src '${script}'; ${NOTHING_ELSE}`;

const ONE_YEAR_SECONDS = 31_536_000;

/** Headers of every answer of the process, whoever writes it. `publicUrl` is PUBLIC_URL. */
export const securityHeaders = (publicUrl: string | undefined): Headers => ({
  'content-security-policy': STRICT_POLICY,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  ...(publicUrl?.startsWith('https:') && { 'strict-transport-security': `max-age=${ONE_YEAR_SECONDS}` }),
});

/** What a page, which may ask for more than an answer of the API, does not ask for. */
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
