import { clsx } from 'clsx';
import { formatNumber } from '../_ui/format.ts';
import { NEEDED_CONFIRMATIONS } from '../_ui/needed-confirmations.ts';
import type { LedgerState, TranslatorProps } from './ledger-now.tsx';

/** The number of entries at each stage: accepted, posted, final. */
export function EntryCounts({ t, region, state }: TranslatorProps & { state: LedgerState | undefined }) {
  const counts = state?.ledger ? countStages(state) : null;
  const countOf = (count: number | undefined) => (count === undefined ? '–' : formatNumber(region, count));
  const permanent = state?.readiness.network.permanent ?? false;
  return (
    <section aria-labelledby="stages">
      <h2 id="stages">{t('stages.title')}</h2>
      <dl className="mt-4 overflow-hidden rounded-lg max-md:grid max-md:grid-cols-3">
        <Layer
          name={t('stages.accepted.name')}
          count={countOf(counts?.accepted)}
          className="border-2 border-dashed border-edge bg-surface max-md:border-r-0 md:border-b-0"
        >
          {t('stages.accepted.what')}
        </Layer>
        <Layer
          name={t('stages.posted.name')}
          count={countOf(counts?.posted)}
          className="border-edge bg-accent-soft max-md:border-y-2 md:border-x-2"
          numeral="text-accent-ink"
        >
          {t('stages.posted.what', { needed: NEEDED_CONFIRMATIONS })}
        </Layer>
        <Layer
          name={t('stages.final.name')}
          count={countOf(counts?.final)}
          className="border-settled md:border-x-2 bg-settled text-on-settled"
          note="text-on-settled-muted"
          tall
        >
          {t(permanent ? 'stages.final.arweave' : 'stages.final.devnet')}
        </Layer>
      </dl>
    </section>
  );
}

type LayerProps = {
  name: string;
  count: string;
  children: string;
  className: string;
  numeral?: string;
  note?: string;
  tall?: boolean;
};

function Layer({ name, count, children, className, numeral, note = 'text-muted', tall }: LayerProps) {
  return (
    <div
      className={clsx(
        'items-baseline gap-x-4 px-3 max-md:flex max-md:flex-col-reverse md:grid md:grid-cols-[1fr_auto] md:px-5',
        'max-md:first:rounded-l-lg max-md:last:rounded-r-lg md:first:rounded-t-lg md:last:rounded-b-lg',
        tall ? 'py-3 md:py-7' : 'py-3 md:py-4',
        className,
      )}
    >
      <dt className="font-bold">{name}</dt>
      <dd className={clsx('tabular-nums text-2xl font-bold', numeral)}>{count}</dd>
      <dd className={clsx('col-span-2 max-w-form text-sm max-md:hidden', note)}>{children}</dd>
    </div>
  );
}

/** The counts come from separate reads, so the difference is limited to zero. */
function countStages({ ledger, readiness }: LedgerState) {
  const total = ledger?.head.seq ?? 0;
  const final = ledger?.entries_final ?? 0;
  const accepted = Math.min(readiness.backlog.entries ?? 0, total - final);
  return { accepted, posted: Math.max(total - final - accepted, 0), final };
}
