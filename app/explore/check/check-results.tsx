'use client';

import { useTranslations } from 'use-intl/react';
import type { NetworkFacts } from '../../../server/ledger/read.ts';
import { OnNetwork } from './on-network.tsx';
import { ProofFile } from './proof-file.tsx';
import { StepRow, WaitingRow } from './step-row.tsx';
import { type AnyStep, STEPS } from './steps.ts';
import type { Check, Fetched } from './use-check.ts';

type CheckResultsProps = {
  check: Check;
  kind: Fetched['kind'];
  network: NetworkFacts;
  l1Tx: string | null;
  seq: number;
};

/** The steps of a check with what was compared, those to come and, at the end, what the visitor can do. */
export function CheckResults({ check, kind, network, l1Tx, seq }: CheckResultsProps) {
  const t = useTranslations('explore.check');
  const { phase, fetched, steps, progress } = check;
  return (
    <>
      <ol className="divide-y divide-line border-y border-line">
        {steps.map((step, index) => (
          <StepRow key={step.name} step={step} number={index + 1} />
        ))}
        {phase !== 'done' &&
          STEPS[kind]
            .slice(steps.length)
            .map((name, index) => (
              <WaitingRow
                key={name}
                name={name}
                number={steps.length + index + 1}
                progress={index === 0 ? progress : null}
              />
            ))}
      </ol>
      {fetched && phase === 'done' && (
        <div>
          <OnNetwork network={network} l1Tx={l1Tx} seq={seq} />
          <ProofFile fetched={fetched} seq={seq} cosigners={cosignersOf(steps)} />
          <p className="mt-8 max-w-prose text-sm text-muted">{t('limits')}</p>
        </div>
      )}
    </>
  );
}

const cosignersOf = (steps: readonly AnyStep[]): number => steps.find(({ name }) => name === 'witnesses')?.checked ?? 0;
