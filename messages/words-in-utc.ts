import { createFormatter } from 'use-intl/core';
import type { useTranslations } from 'use-intl/react';
import type { EntryWordParts } from './entry-words.ts';
import { type Language, regionOf } from './languages.ts';

interface Translators extends Pick<EntryWordParts, 't' | 'operations'> {
  readonly scope: ReturnType<typeof useTranslations<'scope'>>;
}

/** The parts of words whose reader's zone is not known: days are in UTC. */
export function partsInUtc(language: Language, { t, operations, scope }: Translators): EntryWordParts {
  const format = createFormatter({ locale: language, timeZone: 'UTC' });
  const days = new Intl.DateTimeFormat(regionOf(language), { dateStyle: 'long', timeZone: 'UTC' });
  const day: EntryWordParts['day'] = (at) => days.format(Date.parse(at));
  const intent: EntryWordParts['scope']['intent'] = (name) => scope(`intent.${name}.name`);
  return {
    t,
    operations,
    scope: {
      intent,
      intents: (intents) => format.list(intents.map(intent)),
      ieoType: (type) => scope(`ieoType.${type}`),
      end: (until) => (until ? scope('until', { day: day(until) }) : scope('untilWithdrawn')),
    },
    day,
  };
}
