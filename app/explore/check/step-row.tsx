'use client';

import { Check, Info, X } from 'lucide-react';
import { useTranslations } from 'use-intl/react';
import type { Progress } from '../../../protocol/ledger/check-proof.ts';
import { Disclosure } from '../../_ui/disclosure.tsx';
import { Cosigners } from './cosigners.tsx';
import type { AnyStep, AnyStepName } from './steps.ts';

const LOOK = {
  good: { Icon: Check, className: 'bg-accent text-on-accent' },
  unchecked: { Icon: Info, className: 'border-2 border-edge text-ink' },
  bad: { Icon: X, className: 'bg-danger-soft text-danger-ink border-2 border-danger-edge' },
} as const;

/** A step that is not checked yet. */
export function WaitingRow({
  name,
  number,
  progress,
}: {
  name: AnyStepName;
  number: number;
  progress: Progress | null;
}) {
  const t = useTranslations('explore.check');
  return (
    <li className="flex gap-4 py-4 text-muted">
      <span aria-hidden className="mt-0.5 block size-7 shrink-0 animate-breathe rounded-full bg-line" />
      <div className="min-w-0 grow">
        <h3 className="text-lg">{t('numbered', { number, title: t(`step.${name}.title`) })}</h3>
        <p className="mt-1">
          {progress ? t('progress', { checked: progress.checked, of: progress.of }) : t('checking')}
        </p>
      </div>
    </li>
  );
}

/** One step of the check: the question, the result and the values that were compared. */
export function StepRow({ step, number }: { step: AnyStep; number: number }) {
  const t = useTranslations('explore.check');
  const { name, verdict, facts } = step;
  const { Icon, className } = LOOK[verdict];
  return (
    <li className="flex gap-4 py-4" data-step={name} data-verdict={verdict}>
      <span className={`mt-0.5 flex size-7 shrink-0 items-center justify-center rounded-full ${className}`}>
        <Icon aria-hidden className="size-5" />
      </span>
      <div className="min-w-0 grow">
        <h3 className="text-lg">
          {t('numbered', { number, title: t(`step.${name}.title`) })}
          <span className="sr-only">: {t(step.case === 'newest' ? 'verdict.newest' : `verdict.${verdict}`)}</span>
        </h3>
        <p className="mt-1">
          {t(`step.${name}.result`, { case: step.case, checked: step.checked ?? 0, of: step.of ?? 0 })}
        </p>
        {'cosigners' in step && step.cosigners && step.cosigners.length > 0 && <Cosigners cosigners={step.cosigners} />}
        {facts.length > 0 && (
          <Disclosure
            title={
              <span className="text-sm">
                {t('compared')}
                <span className="sr-only">: {t(`step.${name}.title`)}</span>
              </span>
            }
          >
            <dl className="mt-1 mb-2 space-y-3">
              {facts.map(([fact, value]) => (
                <div key={fact}>
                  <dt className="text-sm text-muted">{t(`fact.${fact}`)}</dt>
                  <dd className="font-mono text-sm break-all whitespace-pre-wrap" translate="no">
                    {value}
                  </dd>
                </div>
              ))}
            </dl>
          </Disclosure>
        )}
      </div>
    </li>
  );
}
