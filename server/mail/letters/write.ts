import type { Instant } from '../../../protocol/recorded.ts';
import type { Language } from '../../language.ts';
import type { MailKind } from '../mail.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import type { Letter, LetterFacts, Words } from './letter.ts';
import { ptBR } from './pt-BR.ts';

const WORDS: Readonly<Record<Language, Words>> = { en, 'pt-BR': ptBR, es };

export interface Occasion extends Omit<LetterFacts, 'link'> {
  readonly link: { readonly url: string; readonly until: Instant } | null;
}

/** A letter in one language. */
export function writeLetter(kind: MailKind, language: Language, occasion: Occasion): Letter {
  const words = WORDS[language];
  const link = occasion.link && { ...occasion.link, until: formatEnd(words.locale, occasion.link.until) };
  return {
    ...words.letter[kind]({ ...occasion, link }),
    greeting: words.greeting,
    reason: words.reason,
    unsubscribe: { label: words.unsubscribe, url: occasion.unsubscribeUrl },
  };
}

/** "Tuesday 24 November 2026 at 14:35 UTC". A mail does not know where its reader is. */
const formatEnd = (locale: string, at: Instant): string =>
  new Intl.DateTimeFormat(locale, {
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
