/** The style of a link in running text. */
export const textLink =
  'font-medium text-accent underline decoration-1 underline-offset-[0.2em] hover:text-accent-strong hover:decoration-2';
