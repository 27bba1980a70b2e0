import { createTranslator } from 'use-intl/core';
import { expect, test } from 'vitest';
import type { EntryFacts } from '../protocol/stated-facts.ts';
import { entryWords } from './entry-words.ts';
import { LANGUAGES, type Language } from './languages.ts';
import { type Messages, messagesIn } from './messages.ts';
import { partsInUtc } from './words-in-utc.ts';

function wordsIn(locale: Language, facts: EntryFacts): string {
  const t = <Name extends 'entryWords' | 'operations' | 'scope'>(namespace: Name) =>
    createTranslator<Messages, Name>({ locale, messages: messagesIn(locale), namespace, timeZone: 'UTC' });
  const parts = partsInUtc(locale, { t: t('entryWords'), operations: t('operations'), scope: t('scope') });
  return entryWords(parts, { function: facts.function, facts });
}

const until = '2027-05-03T00:00:00.000Z';
const basic = { level: 'BASIC', until: null } as const;
const advanced = { level: 'ADVANCED', until } as const;
const none = { level: 'UNCERTIFIED', until: null } as const;
const proposal = { domain: 'lab.bsp', isExecuted: true, certification: null, before: null } as const;
const contacts = { api: 'https://a.example/', webhook: null };

const CASES: readonly (readonly [string, EntryFacts])[] = [
  ['Institution registered: laboratory', { function: 'createIEO', ieoType: 'LAB' }],
  ['Key replaced: 00112233… → 44556677…', { function: 'rotateKey', before: '00112233ff', key: '44556677ff' }],
  ['Recovery settings changed: no guardians', { function: 'updateRecovery', guardians: 0 }],
  [
    'Key replaced by recovery, confirmed by 2 guardians',
    { function: 'confirmRecovery', confirmations: 3, isExecuted: true },
  ],
  ['Recovery confirmed by a guardian: 1 of 2', { function: 'confirmRecovery', confirmations: 1, isExecuted: false }],
  ['Recovery confirmed by a guardian', { function: 'confirmRecovery', confirmations: 2, isExecuted: false }],
  [
    'API address changed: https://a.example/ → https://b.example/ · Webhook set: https://c.example/',
    {
      function: 'updateContacts',
      contacts: { api: 'https://b.example/', webhook: 'https://c.example/' },
      before: contacts,
    },
  ],
  [
    'API address removed: https://a.example/',
    { function: 'updateContacts', contacts: { api: null, webhook: null }, before: contacts },
  ],
  ['API addresses changed', { function: 'updateContacts', contacts, before: contacts }],
  ['API address set: https://a.example/', { function: 'updateContacts', contacts, before: null }],
  [
    'Consent given to lab.bsp: read records, until 3 May 2027',
    { function: 'grantConsent', grantee: 'lab.bsp', isSelf: false, intents: ['READ_RECORDS'], until },
  ],
  [
    'Holder may use their own records: read records, until withdrawn',
    { function: 'grantConsent', grantee: 'a.bsp', isSelf: true, intents: ['READ_RECORDS'], until: null },
  ],
  ['Consent to lab.bsp withdrawn', { function: 'revokeToken', grantee: 'lab.bsp' }],
  ['All consents to read records withdrawn', { function: 'revokeByIntent', intent: 'READ_RECORDS' }],
  ['3 records added by lab.bsp', { function: 'submitRecords', grantee: 'lab.bsp', records: 3 }],
  ['One record added', { function: 'submitRecords', grantee: null, records: 1 }],
  ['Decided: lab.bsp suspended', { function: 'approveProposal', action: 'suspendIEO', ...proposal }],
  [
    'Proposed for lab.bsp: certification Basic → Advanced, until 3 May 2027',
    {
      function: 'openProposal',
      action: 'changeCertLevel',
      domain: 'lab.bsp',
      isExecuted: false,
      certification: advanced,
      before: basic,
    },
  ],
  [
    'Certification changed: Basic → Advanced, until 3 May 2027',
    { function: 'updateCertification', certification: advanced, before: basic },
  ],
  ['Certification given: Basic', { function: 'updateCertification', certification: basic, before: none }],
  ['Certification set: Basic', { function: 'updateCertification', certification: basic, before: null }],
  [
    'Certification renewed: Advanced, until 3 May 2027',
    { function: 'updateCertification', certification: advanced, before: { level: 'ADVANCED', until: null } },
  ],
  ['Certification removed: it was Basic', { function: 'updateCertification', certification: none, before: basic }],
  ['Ledger restored: it continues after entry 1,234', { function: 'beginEpoch', last: 1_234 }],
];

test.each(CASES)('an entry says what happened: %s', (words, facts) => {
  expect(wordsIn('en', facts)).toBe(words);
  for (const language of LANGUAGES) expect(wordsIn(language, facts)).not.toMatch(/[{}]|entryWords\./);
});
