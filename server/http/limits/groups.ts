/** Length of the sliding window of every group (protocol §6). */
export const LIMIT_WINDOW_SECONDS = 60;

/**
 * The groups of routes that are limited together: requests in any 60 seconds, counted per client address.
 * `perKey` groups are also counted per signing key, once its signature is verified and its nonce recorded (protocol §6).
 */
export const LIMIT_GROUPS = {
  relayer: { limit: 10, perKey: true },
  query: { limit: 60, perKey: false },
  consent: { limit: 15, perKey: false },
  exchange_submit: { limit: 10, perKey: false },
  exchange_read: { limit: 30, perKey: false },
  export: { limit: 5, perKey: false },
  guardian_invite: { limit: 5, perKey: true },
  /** What guardians send. */
  guardian_link: { limit: 5, perKey: false },
  /** Links that are opened: nothing else that a household reads uses this up. */
  guardian_read: { limit: 60, perKey: false },
  /** Operations of the bundled pages, besides the group of each: as many as those groups allow together. */
  trpc_write: { limit: 45, perKey: false },
  trpc_read: { limit: 300, perKey: false },
} as const satisfies Record<string, { limit: number; perKey: boolean }>;

export type LimitGroup = keyof typeof LIMIT_GROUPS;
