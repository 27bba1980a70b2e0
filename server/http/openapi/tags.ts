/** The groups of the reference, by the beginning of the path; the first match counts. */
const TAGS = [
  ['/api/relayer/consent', 'Consent', 'Who may use which records of a person. Only the holder grants and withdraws.'],
  [
    '/api/relayer/beo/((request|cancel)-)?recover',
    'Guardians and recovery',
    'Guardians confirm the new key of a person who lost the old one.',
  ],
  ['/api/guardian', 'Guardians and recovery', ''],
  ['/api/relayer/beo|/api/beos|/v1/beo', 'Identities', 'A BEO is the identity of a person.'],
  [
    '/api/ieo/(approve|certification|proposals)',
    'The institute',
    'The institute certifies institutions and decides about them.',
  ],
  ['/api/ieo', 'Institutions', 'An IEO is an institution.'],
  ['/api/consent', 'Consent', ''],
  ['/api/exchange', 'Health records', 'Records are submitted, read and exported under a consent.'],
  [
    '/api/shares',
    'Shares',
    'SMART Health Links: a holder shares encrypted records with anybody who has the link. The service has no key.',
  ],
  ['/api/events|/.well-known', 'Events', 'What happened to the consents, holders and records of an institution.'],
  ['/api/alerts', 'Alerts', 'Mail to a holder about what happens to the identity.'],
  ['/api/mail', 'Mail', 'The links at the end of a mail.'],
  ['/api/(ledger|transactions)', 'Ledger', 'The entries of accepted operations.'],
  ['/tlog', 'Transparency log', 'A Merkle tree over the entries that are FINAL, by the C2SP specification tlog-tiles.'],
  ['/', 'Service', 'The state of the service, and this document.'],
] as const;

export type Tag = (typeof TAGS)[number][1];

export const tagOf = (path: string): Tag =>
  TAGS.find(([beginning]) => new RegExp(`^(${beginning})`).test(path))?.[1] ?? 'Service';

export const TAG_DESCRIPTIONS: readonly { readonly name: Tag; readonly description: string }[] = TAGS.flatMap(
  ([, name, description]) => (description ? [{ name, description }] : []),
);
