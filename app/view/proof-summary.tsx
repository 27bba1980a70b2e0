'use client';

import { useTranslations } from 'use-intl/react';
import { Alert } from '../_ui/alert.tsx';
import type { Verdict } from './verdict.ts';
import { Mark } from './verdict-mark.tsx';

/** How many records match the ledger, and what to do if some do not. */
export function ProofSummary({ verdicts, hasProofs }: { verdicts: readonly Verdict[]; hasProofs: boolean }) {
  const t = useTranslations('view.summary');
  if (!hasProofs)
    return (
      <Alert title={t('none.title')} className="max-w-prose">
        <p>{t('none.body')}</p>
      </Alert>
    );
  const count = (state: Verdict['state']) => verdicts.filter((verdict) => verdict.state === state).length;
  const [proved, wrong, left] = [count('proved'), count('altered') + count('missing'), count('checking')];
  const tone = wrong > 0 ? 'danger' : 'info';
  return (
    <div role="status">
      <Alert tone={tone} title={t('proved', { count: proved, all: verdicts.length })} className="max-w-prose">
        {left > 0 && <p>{t('left', { count: left })}</p>}
        {wrong > 0 && <p>{t('wrong', { count: wrong })}</p>}
        {wrong === 0 && left === 0 && <p>{t('means')}</p>}
      </Alert>
    </div>
  );
}

const STATES = ['proved', 'altered', 'missing', 'unreachable', 'none'] as const;

/** What the marks mean. */
export function Legend() {
  const t = useTranslations('view');
  return (
    <section aria-labelledby="legend" className="max-w-prose space-y-3 break-inside-avoid pt-2">
      <h2 id="legend" className="text-lg">
        {t('legend')}
      </h2>
      <dl className="space-y-2 text-sm">
        {STATES.map((state) => (
          <div key={state}>
            <dt>
              <Mark state={state} />
            </dt>
            <dd>{t(`verdict.${state}.means`)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
