'use client';

import { useTranslations } from 'use-intl/react';
import { Alert } from '../_ui/alert.tsx';
import { Button } from '../_ui/button.tsx';
import type { Verdict } from './verdict.ts';
import { Mark } from './verdict-mark.tsx';

export interface ProofSummaryProps {
  readonly verdicts: readonly Verdict[];
  readonly hasProofs: boolean;
  /** Checks the records that are not checked yet. */
  onContinue(): void;
}

/** How many records match the ledger, and what to do if some do not. */
export function ProofSummary({ verdicts, hasProofs, onContinue }: ProofSummaryProps) {
  const t = useTranslations('view.summary');
  if (!hasProofs)
    return (
      <Alert title={t('none.title')} className="max-w-prose">
        <p>{t('none.body')}</p>
      </Alert>
    );
  const count = (state: Verdict['state']) => verdicts.filter((verdict) => verdict.state === state).length;
  const [proved, wrong, left] = [count('proved'), count('altered') + count('missing'), count('checking')];
  const [unchecked, without, all] = [count('unchecked'), count('none'), verdicts.length];
  const tone = wrong > 0 ? 'danger' : unchecked + without > 0 ? 'caution' : 'info';
  return (
    <div role="status">
      <Alert tone={tone} title={t('proved', { count: proved, all })} className="max-w-prose">
        {left > 0 && <p>{t('left', { count: left })}</p>}
        {wrong > 0 && <p>{t('wrong', { count: wrong })}</p>}
        {without > 0 && <p>{t('without', { count: without })}</p>}
        {unchecked > 0 && <p>{t('unchecked', { count: unchecked })}</p>}
        {unchecked > 0 && left === 0 && (
          <Button look="secondary" className="mt-2 print:hidden" onClick={onContinue}>
            {t('continue')}
          </Button>
        )}
        {proved === all && <p>{t('means')}</p>}
      </Alert>
    </div>
  );
}

const STATES = ['proved', 'altered', 'missing', 'unchecked', 'none'] as const;

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
