import { clsx } from 'clsx';
import { useTranslations } from 'use-intl/react';
import { NEEDED_CONFIRMATIONS } from './needed-confirmations.ts';

type Status = 'ACCEPTED' | 'POSTED' | 'CONFIRMED' | 'FINAL';

const SEGMENT = 26;
const GAP = 3;
const STAGES = ['ACCEPTED', 'POSTED', 'CONFIRMED', 'FINAL'] as const satisfies readonly Status[];

type LedgerStatusProps = { status: Status; confirmations?: number; className?: string };

/** The status of an entry in words, above a bar of four stages. */
export function LedgerStatus({ status, confirmations, className }: LedgerStatusProps) {
  const words = useWords();
  return (
    <span className={clsx('inline-block', className)}>
      <span
        className={clsx(
          'block tabular-nums max-md:text-sm md:whitespace-nowrap',
          status === 'FINAL' ? 'font-semibold text-accent-ink' : 'text-ink',
        )}
      >
        {words(status, confirmations)}
      </span>
      <svg aria-hidden="true" viewBox={`0 0 ${4 * SEGMENT + 3 * GAP} 6`} className="mt-1.5 block h-1.5 w-28">
        {STAGES.map((stage, index) => (
          <Segment key={stage} index={index} filled={filled(stage, status, confirmations)} />
        ))}
      </svg>
    </span>
  );
}

function Segment({ index, filled }: { index: number; filled: number }) {
  const x = index * (SEGMENT + GAP);
  return (
    <>
      <rect x={x + 0.5} y={0.5} width={SEGMENT - 1} height={5} rx={2} className="fill-transparent stroke-edge" />
      {filled > 0 && (
        <rect
          x={x}
          width={SEGMENT * filled}
          height={6}
          rx={2}
          className="fill-accent transition-[width] duration-700"
        />
      )}
    </>
  );
}

function useWords(): (status: Status, confirmations: number | undefined) => string {
  const t = useTranslations('home.ledger.status');
  return (status, confirmations) => {
    if (status !== 'CONFIRMED') return t(status);
    if (confirmations === undefined) return t('onTheWay');
    return t('CONFIRMED', {
      confirmations: Math.min(confirmations, NEEDED_CONFIRMATIONS),
      needed: NEEDED_CONFIRMATIONS,
    });
  };
}

/** The completed part of a stage, 0 to 1. */
function filled(stage: Status, status: Status, confirmations: number | undefined): number {
  const reached = STAGES.indexOf(status) - STAGES.indexOf(stage);
  if (reached < 0) return 0;
  if (reached > 0 || stage !== 'CONFIRMED') return 1;
  return Math.min((confirmations ?? NEEDED_CONFIRMATIONS / 2) / NEEDED_CONFIRMATIONS, 1);
}
