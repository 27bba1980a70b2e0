'use client';

import { Printer } from 'lucide-react';
import { createPortal } from 'react-dom';
import { useTranslations } from 'use-intl/react';
import type { GuardianRole } from '../../../protocol/entities/guardian.ts';
import '../../_keys/key-card.css';
import { useWordList } from '../../_keys/word-list.ts';
import { Button } from '../../_ui/button.tsx';
import { Card } from '../../_ui/card.tsx';
import { Guarding } from '../../_ui/pictures/guarding.tsx';
import { Question } from '../../_ui/question.tsx';
import { WordsSkeleton } from '../../_ui/skeletons.tsx';

type AcceptedProps = {
  beoId: string;
  beoDomain: string;
  role: GuardianRole | null;
  /** The key that accepted, hex. */
  publicKey: string;
  /** False where the page begins with it. */
  focus?: boolean;
};

/** The last screen: the words to compare, and what to remember. */
export function Accepted({ beoId, beoDomain, role, publicKey, focus }: AcceptedProps) {
  const t = useTranslations('accept');
  const shared = useTranslations('guardian');
  const words = useWordList()?.guardianWords(beoId, publicKey) ?? null;
  const domain = beoDomain;
  return (
    <Question title={t('done.title', { domain })} focus={focus}>
      <Guarding className="w-48" />
      <p>
        {t('done.lead')} {role && t('done.role', { role })}
      </p>
      <h2 className="pt-2">{t('done.words')}</h2>
      <p>{t('done.wordsBody', { domain })}</p>
      <Card>{words ? <Words label={t('done.words')} words={words} /> : <WordsSkeleton />}</Card>
      <h2 className="pt-2">{t('done.next')}</h2>
      <ul className="list-disc space-y-2 pl-6">
        <li>{t('done.nextConfirm')}</li>
        <li>{t('done.nextKeep')}</li>
        <li>{t('done.nextLost')}</li>
        <li>{t('done.nextDay')}</li>
      </ul>
      <div className="pt-2">
        <Button look="secondary" size="large" onClick={() => window.print()}>
          <Printer aria-hidden />
          {shared('print')}
        </Button>
      </div>
      <p className="font-semibold">{t('done.close')}</p>
      {words && <PrintedCard domain={domain} role={role} words={words} />}
    </Question>
  );
}

function Words({ label, words }: { label: string; words: readonly string[] }) {
  return (
    <ol
      aria-label={label}
      lang="en"
      translate="no"
      className="grid grid-cols-2 gap-x-6 font-mono text-lg sm:grid-cols-3"
    >
      {[...words.entries()].map(([index, word]) => (
        <li key={index} className="py-1">
          <span className="inline-block w-7 text-muted tabular-nums">{index + 1}</span>
          {word}
        </li>
      ))}
    </ol>
  );
}

type PrintedCardProps = { domain: string; role: GuardianRole | null; words: readonly string[] };

/** Is printed instead of the page; hidden on the screen. */
function PrintedCard({ domain, role, words }: PrintedCardProps) {
  const t = useTranslations('accept');
  return createPortal(
    <article className="key-card hidden space-y-4 rounded-lg border-2 border-edge p-6 print:block">
      <h1>{t('done.title', { domain })}</h1>
      {role && <p>{t('done.role', { role })}</p>}
      <section>
        <h2 className="text-base">{t('done.words')}</h2>
        <p className="text-sm">{t('done.wordsBody', { domain })}</p>
        <Words label={t('done.words')} words={words} />
      </section>
      <section>
        <h2 className="text-base">{t('day.title')}</h2>
        <p className="text-sm">{t('done.nextDay')}</p>
        <p className="text-sm">{t('day.hurry')}</p>
      </section>
      <p className="text-sm">{t('done.nextKeep')}</p>
    </article>,
    document.body,
  );
}
