/** What a page says for an error code; a code without a sentence here shows the one of the error table. */
export const errors: Partial<Record<string, string>> = {
  RATE_LIMITED: 'Too many requests came from your network in the last minute. This page tries again by itself.',
  UNAVAILABLE: 'The server cannot read its database at the moment. This page tries again by itself.',
  INTERNAL: 'Something went wrong on our side. This page tries again by itself.',
  UNREACHABLE: 'The server cannot be reached. This page tries again by itself.',
};
