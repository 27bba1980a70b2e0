import type { useTranslations } from 'use-intl/react';
import type { IeoType } from '../protocol/entities/ieo.ts';
import type { Intent } from '../protocol/entities/intents.ts';
import type { EntryFacts, FactsByFunction, FactsOf, StatedFunction } from '../protocol/stated-facts.ts';
import { operationLabel } from './operation-label.ts';

/** What the sentences of entries are made with. */
export interface EntryWordParts {
  readonly t: ReturnType<typeof useTranslations<'entryWords'>>;
  readonly operations: ReturnType<typeof useTranslations<'operations'>>;
  readonly scope: {
    intent(intent: Intent): string;
    intents(intents: readonly Intent[]): string;
    ieoType(type: IeoType): string;
    end(until: string | null): string;
  };
  /** “3 May 2027” */
  day(at: string): string;
}

/** What happened, in a sentence: from what the entry states, or else from its function only. */
export function entryWords(
  parts: EntryWordParts,
  { function: name, facts }: { readonly function: string; readonly facts: EntryFacts | null },
): string {
  return (facts && sentenceOf(parts, facts)) ?? operationLabel(parts.operations, name);
}

const sentenceOf = <Function extends StatedFunction>(parts: EntryWordParts, facts: FactsOf<Function>): string | null =>
  SENTENCES[facts.function](parts, facts);

type Sentence<Function extends StatedFunction> = (
  parts: EntryWordParts,
  facts: FactsByFunction[Function],
) => string | null;

const NEEDED = 2;
const KEY_SHOWN = 8;

const short = (key: string): string => `${key.slice(0, KEY_SHOWN)}…`;
const known = (name: string | null): string => (name === null ? 'other' : 'known');

const SENTENCES: { readonly [Function in StatedFunction]: Sentence<Function> } = {
  createIEO: ({ t, scope }, { ieoType }) => t('registered', { type: scope.ieoType(ieoType) }),
  rotateKey: ({ t }, { before, key }) => t('key', { before: short(before), key: short(key) }),
  updateRecovery: ({ t }, { guardians }) => t('guardians', { count: guardians }),
  confirmRecovery({ t }, { confirmations, isExecuted }) {
    if (isExecuted) return t('recovered', { count: NEEDED });
    return confirmations < NEEDED ? t('recovering', { count: confirmations, needed: NEEDED }) : null;
  },
  updateContacts({ t }, { contacts, before }) {
    const changed = (['api', 'webhook'] as const).filter((name) => before === null || contacts[name] !== before[name]);
    const sentences = changed.flatMap((name) => {
      const [from, to] = [before?.[name] ?? null, contacts[name]];
      if (to !== null) return [t(`contacts.${name}.${from === null ? 'set' : 'changed'}`, { from: from ?? '', to })];
      return from === null ? [] : [t(`contacts.${name}.removed`, { from })];
    });
    return sentences.length > 0 ? sentences.join(' · ') : null;
  },
  grantConsent({ t, scope }, { grantee, isSelf, intents, until }) {
    const words = { intents: scope.intents(intents), end: scope.end(until) };
    return t('consent', { ...words, to: isSelf ? 'self' : known(grantee), grantee: grantee ?? '' });
  },
  revokeToken: ({ t }, { grantee }) => t('withdrawn', { grantee }),
  revokeAllFromIEO: ({ t }, { grantee }) => t('allWithdrawn', { grantee }),
  revokeByIntent: ({ t, scope }, { intent }) => t('intentWithdrawn', { intent: scope.intent(intent) }),
  submitRecords: ({ t }, { grantee, records }) =>
    t('records', { count: records, by: known(grantee), grantee: grantee ?? '' }),
  openProposal: (parts, facts) => proposalSentence(parts, 'proposed', facts),
  approveProposal: (parts, facts) => (facts.isExecuted ? proposalSentence(parts, 'decided', facts) : null),
  updateCertification: (parts, { certification, before }) => {
    const words = certificationWords(parts, certification, before);
    return parts.t(`certification.${stepOf(certification, before)}`, words);
  },
  beginEpoch: ({ t }, { last }) => t('restored', { last }),
};

type Certification = FactsByFunction['updateCertification'];

function certificationWords(
  { t, day }: EntryWordParts,
  { level, until }: Certification['certification'],
  before: Certification['before'],
) {
  return {
    level: t(`levels.${level}`),
    before: before === null ? '' : t(`levels.${before.level}`),
    end: until === null ? 'none' : 'known',
    day: until === null ? '' : day(until),
  };
}

/** How a certification differs from the one before it. */
function stepOf({ level }: Certification['certification'], before: Certification['before']) {
  if (level === 'UNCERTIFIED') return before === null || before.level === level ? 'none' : 'removed';
  if (before === null) return 'set';
  if (before.level === 'UNCERTIFIED') return 'given';
  return before.level === level ? 'renewed' : 'changed';
}

function proposalSentence(
  parts: EntryWordParts,
  step: 'proposed' | 'decided',
  { action, domain, certification, before }: FactsByFunction['openProposal'],
): string {
  const { t } = parts;
  if (certification === null) return t(`${step}.action`, { action, domain });
  const words = certificationWords(parts, certification, before);
  return t(`${step}.certification`, { ...words, domain, from: before === null ? 'other' : 'known' });
}
