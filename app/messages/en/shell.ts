/** The head and the foot of every page. */
export default {
  skip: 'Skip to the content',
  home: 'Perpetua, to the first page',
  language: 'Language',
  useDarkTheme: 'Use the dark theme',
  useLightTheme: 'Use the light theme',
  devnet: { short: 'Not permanent', long: 'Test network, not permanent' },
  arweave: { short: 'Arweave', long: 'Arweave, permanent' },
  footer: {
    machines: 'For machines and their keepers',
    ledger: 'Head of the ledger',
    entries: 'Every entry of the ledger',
    ready: 'Readiness',
    health: 'Health',
    about: 'Before you sign',
    public: 'What is public, and what is not',
    recover: 'Lost your key?',
    version: 'Version {version}',
    nothingElse: 'This page sets no cookie and asks no other server for anything.',
  },
};
