const ENDING: readonly string[] = [
  'ALREADY_CONFIRMED',
  'BEO_DESTROYED',
  'BEO_LOCKED',
  'LINK_EXPIRED',
  'LINK_NOT_FOUND',
  'LINK_USED',
  'REQUEST_CLOSED',
];

/** Whether an error code means that the link can no longer be used; its page, loaded again, explains why. */
export const endsLink = (code: string): boolean => ENDING.includes(code);
