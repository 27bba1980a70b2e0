/** Length of the sliding window of every group (protocol §6). */
export const LIMIT_WINDOW_SECONDS = 60;

/**
 * Groups of routes with a shared limit: requests per client address in any 60 seconds. `perKey` groups also count per
 * signing key, once its signature is verified and its nonce recorded (protocol §6).
 */
export const LIMIT_GROUPS = {
  relayer: { limit: 10, perKey: true },
  query: { limit: 60, perKey: false },
  consent: { limit: 15, perKey: false },
  exchange_submit: { limit: 10, perKey: false },
  exchange_read: { limit: 30, perKey: false },
  export: { limit: 5, perKey: false },
  /** Lists of the public ledger as files. Separate, so that they do not use up the exports of people. */
  entry_export: { limit: 5, perKey: false },
  guardian_invite: { limit: 5, perKey: true },
  /** Writes of guardians. */
  guardian_link: { limit: 5, perKey: false },
  /** Reads of links. Separate, so that other reads of a household do not use it up. */
  guardian_read: { limit: 60, perKey: false },
  /** Manifests and files of shares, by their recipients. */
  share_read: { limit: 60, perKey: false },
  /** Checkpoint and tiles. A client reads as many as the tree has, in parallel (C2SP tlog-tiles): 7 831 for a million entries. */
  log_read: { limit: 12_000, perKey: false },
  /** Operations of the bundled pages, besides the group of each: the sum of those groups. */
  trpc_write: { limit: 45, perKey: false },
  trpc_read: { limit: 300, perKey: false },
} as const satisfies Record<string, { limit: number; perKey: boolean }>;

export type LimitGroup = keyof typeof LIMIT_GROUPS;
