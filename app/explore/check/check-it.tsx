'use client';

import { LoaderCircle, ShieldCheck } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useTranslations } from 'use-intl/react';
import type { NetworkFacts, TransactionView } from '../../../server/ledger/read.ts';
import { Refused } from '../../_trpc/refused.tsx';
import { Alert } from '../../_ui/alert.tsx';
import { Button } from '../../_ui/button.tsx';
import { deferred } from '../../_ui/deferred.tsx';
import type { AnyStepName } from './steps.ts';
import { type Check, useCheck } from './use-check.ts';

/** Loaded when the check begins. */
const CheckResults = deferred(() => import('./check-results.tsx').then((module) => module.CheckResults));

type CheckItProps = Pick<TransactionView, 'id' | 'seq' | 'l1_tx' | 'status'> & { network: NetworkFacts };

/** “Check it yourself”: verifies a proof in this browser, and shows what was compared. */
export function CheckIt({ id, seq, l1_tx: l1Tx, status, network }: CheckItProps) {
  const t = useTranslations('explore.check');
  const { check, start } = useCheck(id);
  const { phase, fetched, steps, failure } = check;
  const kind = fetched?.kind ?? (status === 'FINAL' ? 'log' : 'chain');
  const outcome = outcomeOf(check);
  const heading = useRef<HTMLHeadingElement>(null);
  const hasBegun = phase !== 'idle';
  const isRunning = phase === 'fetching' || phase === 'checking';

  useEffect(() => {
    if (hasBegun) heading.current?.focus({ preventScroll: true });
  }, [hasBegun]);

  return (
    <section aria-labelledby="check" className="mt-14">
      <h2 id="check" ref={heading} tabIndex={-1} className="focus:outline-none">
        {t('title')}
      </h2>
      <p className="mt-2 mb-5 max-w-prose text-muted">{t('lead')}</p>
      {(phase === 'idle' || phase === 'failed') && (
        <Button size="large" onClick={start}>
          <ShieldCheck aria-hidden />
          {t('start')}
        </Button>
      )}
      <Refused failure={failure} />
      <div role="status" className={hasBegun && phase !== 'failed' ? 'mb-6 min-h-24' : ''}>
        {outcome && (
          <Alert tone={outcome === 'bad' ? 'danger' : 'info'} title={t(`outcome.${outcome}.title`)}>
            <p>{t(`outcome.${outcome}.body`, { count: steps.filter(({ verdict }) => verdict === 'good').length })}</p>
          </Alert>
        )}
        {isRunning && (
          <p className="flex items-center gap-4 text-lg">
            <LoaderCircle aria-hidden className="size-6 shrink-0 animate-spin text-accent" />
            {t(phase === 'fetching' ? 'fetching' : 'checking')}
          </p>
        )}
      </div>
      {hasBegun && phase !== 'failed' && (
        <CheckResults check={check} kind={kind} network={network} l1Tx={l1Tx} seq={seq} />
      )}
    </section>
  );
}

function outcomeOf({ phase, steps }: Check): 'good' | 'newest' | 'unwitnessed' | 'unchecked' | 'sealed' | 'bad' | null {
  if (phase !== 'done') return null;
  if (steps.some(({ verdict }) => verdict === 'bad')) return 'bad';
  const unchecked = (name: AnyStepName) => steps.find((step) => step.name === name && step.verdict === 'unchecked');
  const person = unchecked('person');
  if (person) return person.case === 'sealed' ? 'sealed' : 'unchecked';
  if (unchecked('witnesses')) return 'unwitnessed';
  return unchecked('after') ? 'newest' : 'good';
}
