import { clsx } from 'clsx';
import { en } from '../messages/en.ts';
import { formatNumber } from '../ui/format.ts';

export const NEEDED_CONFIRMATIONS = 18;

type Status = 'ACCEPTED' | 'POSTED' | 'CONFIRMED' | 'FINAL';

const SEGMENT = 26;
const GAP = 3;
const STAGES = ['ACCEPTED', 'POSTED', 'CONFIRMED', 'FINAL'] as const satisfies readonly Status[];

type LedgerStatusProps = { status: Status; confirmations?: number; className?: string };

/** How far an entry has come, in words, above a bar of four stages that the words explain. */
export function LedgerStatus({ status, confirmations, className }: LedgerStatusProps) {
  return (
    <span className={clsx('inline-block', className)}>
      <span
        className={clsx(
          'block whitespace-nowrap tabular-nums max-md:text-sm',
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

function words(status: Status, confirmations: number | undefined): string {
  if (status !== 'CONFIRMED') return en.home.ledger.status[status];
  if (confirmations === undefined) return en.home.ledger.status.onTheWay;
  const shown = formatNumber(en.locale, Math.min(confirmations, NEEDED_CONFIRMATIONS));
  return en.home.ledger.status.CONFIRMED(shown, formatNumber(en.locale, NEEDED_CONFIRMATIONS));
}

/** How much of a stage is done, 0 to 1. */
function filled(stage: Status, status: Status, confirmations: number | undefined): number {
  const reached = STAGES.indexOf(status) - STAGES.indexOf(stage);
  if (reached < 0) return 0;
  if (reached > 0 || stage !== 'CONFIRMED') return 1;
  return Math.min((confirmations ?? NEEDED_CONFIRMATIONS / 2) / NEEDED_CONFIRMATIONS, 1);
}
