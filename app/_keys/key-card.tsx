'use client';

import { createPortal } from 'react-dom';
import { useLocale, useTranslations } from 'use-intl/react';
import type { GuardianRole } from '../../protocol/entities/guardian.ts';
import './key-card.css';
import { longDay } from './long-day.ts';
import { NumberedWords } from './numbered-words.tsx';
import type { Purpose } from './secret.ts';

/** The copy that the person made: the card shows the words, or names the file. */
export type Kept =
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'file'; readonly name: string };

type KeyCardProps = {
  kept: Kept;
  purpose: Purpose;
  beoDomain: string;
  /** Of a guardian. */
  role?: GuardianRole | undefined;
  createdAt: Date;
};

/** The card that `window.print()` prints instead of the page; hidden on the screen. */
export function KeyCard({ kept, purpose, beoDomain, role, createdAt }: KeyCardProps) {
  const t = useTranslations('keys.card');
  const locale = useLocale();
  const date = longDay(locale, createdAt);
  const site = location.origin;
  const steps =
    purpose === 'guardian'
      ? [
          t('guardianDay.call'),
          t('guardianDay.words'),
          t('guardianDay.link', { site }),
          t('guardianDay.key', { kept: kept.kind }),
          t('guardianDay.doubt'),
        ]
      : [
          t('holderDay.open', { kept: kept.kind, site }),
          ...(purpose === 'holder' ? [t('holderDay.lost', { site })] : []),
        ];

  return createPortal(
    <article className="key-card hidden rounded-lg border-2 border-edge p-6 text-sm print:block">
      <h1>{t('title', { purpose, domain: beoDomain })}</h1>
      <p className="text-muted">{t('made', { date, site })}</p>
      <p className="mt-3">{t('about', { purpose, domain: beoDomain })}</p>
      {role && <p className="mt-3 font-semibold">{t('role', { role })}</p>}
      {kept.kind === 'words' ? (
        <section className="mt-4">
          <h2 className="text-base">{t('words')}</h2>
          <NumberedWords words={kept.words} className="mt-2 grid-cols-4 gap-x-4 text-base" />
        </section>
      ) : (
        <section className="mt-4 space-y-6">
          <p className="font-semibold break-all">{t('file', { name: kept.name })}</p>
          <p className="border-b border-edge pb-1">{t('place')}</p>
        </section>
      )}
      <section className="mt-5">
        <h2 className="text-base">{t('dayTitle', { purpose })}</h2>
        <ol className="mt-1 list-decimal space-y-1 pl-6">
          {steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      </section>
      <p className="mt-4 font-semibold">{t('never')}</p>
    </article>,
    document.body,
  );
}
