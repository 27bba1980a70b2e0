import { createTranslator } from 'use-intl/core';
import { type Language, regionOf } from '../../../../messages/languages.ts';
import { type Messages, messagesIn } from '../../../../messages/messages.ts';
import type { Instant } from '../../../../protocol/entities/recorded.ts';
import type { AlertMailKind, MailKind } from '../mail.ts';
import type { Block, Letter, LetterFacts } from './letter.ts';

export interface LetterInput extends Omit<LetterFacts, 'link' | 'alert'> {
  readonly alert: { readonly domain: string; readonly at: Instant } | null;
  readonly link: { readonly url: string; readonly until: Instant } | null;
}

/** Writes a letter in one language. */
export function writeLetter(kind: MailKind, language: Language, occasion: LetterInput): Letter {
  const t = translatorIn(language);
  const region = regionOf(language);
  const link = occasion.link && { ...occasion.link, until: formatEnd(region, occasion.link.until) };
  const alert = occasion.alert && { ...occasion.alert, at: formatEnd(region, occasion.alert.at) };
  return {
    subject: t(`${kind}.subject`),
    greeting: t('greeting'),
    blocks: BLOCKS[kind](t, { ...occasion, link, alert }),
    reason: t(kind === 'alertConfirm' ? 'alertConfirm.reason' : alert ? 'alertReason' : 'reason'),
    unsubscribe: { label: t('unsubscribe'), url: occasion.unsubscribeUrl },
  };
}

const translatorIn = (language: Language) =>
  createTranslator<Messages, 'letters'>({
    locale: language,
    messages: messagesIn(language),
    namespace: 'letters',
    timeZone: 'UTC',
  });

type Translator = ReturnType<typeof translatorIn>;

const text = (words: string): Block => ({ is: 'text', text: words });
const important = (words: string): Block => ({ is: 'important', text: words });
const page = (label: string, url: string): Block => ({ is: 'link', label, url });

/** The reader's own link and its end; empty if the letter has none. */
const linkBlocks = (t: Translator, { link }: LetterFacts, label: string): readonly Block[] =>
  link ? [page(label, link.url), text(t('until', { until: link.until }))] : [];

type Blocks = (t: Translator, facts: LetterFacts) => readonly Block[];

/** The kinds of alerts that happened to an identity. */
type Happened = Exclude<AlertMailKind, 'alertConfirm'>;

/** What happened, the page where the holder sees it, and what to do about it. */
const alertBlocks =
  (kind: Happened, path: string, advice: 'stopRecovery' | 'ifNotYou' | 'ifUnexpected'): Blocks =>
  (t, { alert, publicUrl, recoverUrl }) => [
    text(t(`${kind}.what`, { domain: alert?.domain ?? '', at: alert?.at ?? '' })),
    page(t('openPages'), `${publicUrl}${path}`),
    important(t(advice, { recoverUrl })),
    text(t('care')),
  ];

export const BLOCKS: Readonly<Record<MailKind, Blocks>> = {
  alertConfirm: (t, facts) => [
    text(t('alertConfirm.what')),
    ...linkBlocks(t, facts, t('alertConfirm.see')),
    text(t('alertConfirm.unknown')),
    text(t('care')),
  ],
  alertChanged: alertBlocks('alertChanged', '/me/alerts', 'ifNotYou'),
  alertLeaving: alertBlocks('alertLeaving', '/me/alerts', 'ifNotYou'),
  alertRecoveryRequested: alertBlocks('alertRecoveryRequested', '/me/guardians', 'stopRecovery'),
  alertRecoveryConfirmed: alertBlocks('alertRecoveryConfirmed', '/me/guardians', 'stopRecovery'),
  alertRecovered: (t, facts) => [
    text(t('alertRecovered.what', { domain: facts.alert?.domain ?? '', at: facts.alert?.at ?? '' })),
    important(t('alertRecovered.act', { recoverUrl: facts.recoverUrl })),
    text(t('care')),
  ],
  alertRecoveryCancelled: alertBlocks('alertRecoveryCancelled', '/me/guardians', 'ifNotYou'),
  alertGuardianAccepted: alertBlocks('alertGuardianAccepted', '/me/guardians', 'ifUnexpected'),
  alertGuardianConfirmed: alertBlocks('alertGuardianConfirmed', '/me/guardians', 'ifNotYou'),
  alertGuardianResigned: alertBlocks('alertGuardianResigned', '/me/guardians', 'ifUnexpected'),
  alertGuardiansChanged: alertBlocks('alertGuardiansChanged', '/me/guardians', 'ifNotYou'),
  alertKeyChanged: alertBlocks('alertKeyChanged', '/me/safety', 'ifNotYou'),
  alertFrozen: alertBlocks('alertFrozen', '/me/safety', 'ifNotYou'),
  alertConsentGiven: alertBlocks('alertConsentGiven', '/me/consents', 'ifNotYou'),
  alertConsentUsed: alertBlocks('alertConsentUsed', '/me/access', 'ifUnexpected'),
  alertConsentReads: alertBlocks('alertConsentReads', '/me/access', 'ifUnexpected'),
  alertConsentEnding: alertBlocks('alertConsentEnding', '/me/consents', 'ifUnexpected'),
  invitation: (t, facts) => [
    text(t('invitation.what')),
    text(t('guardians')),
    text(t('how')),
    ...linkBlocks(t, facts, t('seeAndDecide')),
    text(t('invitation.unknown')),
    text(t('care')),
  ],
  reminder: (t, facts) => [
    text(t('reminder.what')),
    text(t('guardians')),
    text(t('how')),
    ...linkBlocks(t, facts, t('seeAndDecide')),
    text(t('reminder.ratherNot')),
    text(t('care')),
  ],
  recovery: (t, facts) => [
    text(t('recovery.what')),
    ...linkBlocks(t, facts, t('seeIdentity')),
    important(t('recovery.call')),
    text(t('stayOnThePhone')),
    text(t('recovery.notAsked')),
    text(t('careOnPage')),
  ],
  confirmed: (t, facts) => [
    text(t('confirmed.what')),
    ...(facts.link ? linkBlocks(t, facts, t('seeIdentity')) : [page(t('seeIdentity'), facts.identityUrl)]),
    important(t('confirmed.call')),
    text(facts.link ? t('stayOnThePhone') : t('confirmed.theyHaveALink')),
    text(t('confirmed.notAsked')),
    text(t('careOnPage')),
  ],
  recovered: (t, { identityUrl, recoverUrl }) => [
    text(t('recovered.what')),
    page(t('seeIdentity'), identityUrl),
    text(t('recovered.nothing')),
    important(t('recovered.notAsked', { recoverUrl })),
    text(t('care')),
  ],
  cancelled: (t, { identityUrl, recoverUrl }) => [
    text(t('cancelled.what')),
    page(t('seeIdentity'), identityUrl),
    important(t('cancelled.call')),
    text(t('cancelled.either', { recoverUrl })),
    text(t('care')),
  ],
};

/** "Tuesday 24 November 2026 at 14:35 UTC". UTC, because the reader's time zone is unknown. */
const formatEnd = (region: string, at: Instant): string =>
  new Intl.DateTimeFormat(region, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: 'UTC',
    timeZoneName: 'short',
  }).format(Date.parse(at));
