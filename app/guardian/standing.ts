/** Codes after which the link does not stand as this page believes: the page of how it stands now says what happened, and what to do. */
const OVERTAKEN: readonly string[] = [
  'ALREADY_CONFIRMED',
  'BEO_DESTROYED',
  'BEO_LOCKED',
  'LINK_EXPIRED',
  'LINK_NOT_FOUND',
  'LINK_USED',
  'REQUEST_CLOSED',
];

export const isOvertaken = (code: string): boolean => OVERTAKEN.includes(code);
