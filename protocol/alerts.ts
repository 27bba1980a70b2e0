/** What a holder can be alerted to, besides recoveries, to which every confirmed address is alerted. All by default. Protocol §11. */
export const ALERT_KINDS = [
  'GUARDIANS_CHANGED',
  'KEY_CHANGED',
  'IDENTITY_FROZEN',
  'CONSENT_GIVEN',
  'CONSENT_USED',
  'CONSENT_ENDING',
] as const;

export type AlertKind = (typeof ALERT_KINDS)[number];

export const MAX_ALERT_ADDRESSES = 3;

/** How long an address that is removed still receives alerts of recoveries: a thief of the key must not silence them. */
export const LEAVING_MS = 72 * 3_600_000;

/** How long the link in the mail to a new address works. */
export const ADDRESS_LINK_MS = 72 * 3_600_000;
