/** What several pages say, in English. */
export const common = {
  name: 'Perpetua',
  description:
    'Perpetua writes what people and health institutions sign with their own keys to a public, permanent ledger, and pays the fee.',
  copy: (name: string) => `Copy the ${name}`,
  copied: (name: string) => `The ${name} is copied.`,
  refused: (name: string) => `The browser did not let us copy the ${name}. Select it and copy it by hand.`,
  leavesThisSite: '(leaves this site)',
  justNow: 'just now',
  notFound: {
    title: 'There is no page here',
    body: 'The address may be mistyped, or the page may have moved.',
    back: 'Go to the first page',
  },
  broken: {
    title: 'This page could not be shown',
    body: 'Something went wrong on our side. Nothing was changed by it.',
    reference: 'Quote this reference when you ask about it:',
    retry: 'Try again',
  },
};
