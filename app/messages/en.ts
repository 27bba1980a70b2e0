import { errors } from './en-errors.ts';
import { home } from './en-home.ts';

const common = {
  name: 'Perpetua',
  description:
    'Perpetua writes what people and health institutions sign with their own keys to a public, permanent ledger, and pays the fee.',
  skip: 'Skip to the content',
  home: 'Perpetua, to the first page',
  useDarkTheme: 'Use the dark theme',
  useLightTheme: 'Use the light theme',
  copy: (name: string) => `Copy the ${name}`,
  copied: (name: string) => `The ${name} is copied.`,
  refused: (name: string) => `The browser did not let us copy the ${name}. Select it and copy it by hand.`,
  leavesThisSite: '(leaves this site)',
  justNow: 'just now',
  devnet: { short: 'Not permanent', long: 'Test network, not permanent' },
  arweave: { short: 'Arweave', long: 'Arweave, permanent' },
  footer: {
    machines: 'For machines and their keepers',
    links: {
      '/api/ledger': 'Head of the ledger',
      '/api/ledger/entries': 'Every entry of the ledger',
      '/ready': 'Readiness',
      '/health': 'Health',
    },
    about: 'Before you sign',
    public: 'What is public, and what is not',
    version: (version: string) => `Version ${version}`,
    nothingElse: 'This page sets no cookie and asks no other server for anything.',
  },
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

/** Every sentence a person reads, in English. Another language is another value of the same type. */
export const en = { locale: 'en-GB', common, home, errors };

export type Messages = typeof en;
