'use client';

import { CircleHelp, CircleMinus, LoaderCircle, ShieldAlert, ShieldCheck, TriangleAlert, Unplug } from 'lucide-react';
import { useTranslations } from 'use-intl/react';
import { Badge } from '../_ui/badge.tsx';
import { useDates } from '../_ui/use-dates.ts';
import type { Certified, Verdict } from './verdict.ts';

const LOOKS = {
  checking: { tone: 'neutral', Icon: LoaderCircle },
  none: { tone: 'neutral', Icon: CircleMinus },
  proved: { tone: 'accent', Icon: ShieldCheck },
  altered: { tone: 'danger', Icon: ShieldAlert },
  missing: { tone: 'caution', Icon: CircleHelp },
  unchecked: { tone: 'neutral', Icon: Unplug },
} as const;

/** A mark with a meaning: the legend of the page explains it. */
export function Mark({ state }: Pick<Verdict, 'state'>) {
  const t = useTranslations('view.verdict');
  const { tone, Icon } = LOOKS[state];
  return (
    <Badge tone={tone} className="whitespace-normal">
      <Icon aria-hidden />
      {t(`${state}.mark`)}
    </Badge>
  );
}

/** Who measured a record: the registry's name if the record is proved, the stated one if not; empty while that is checked. */
export function sourceIn(verdict: Verdict | undefined, stated: string): string {
  if (verdict?.state === 'proved') return verdict.institution.display_name ?? verdict.institution.domain;
  return verdict?.state === 'checking' ? '' : stated;
}

/** What the ledger says about a record: who signed it, and whether that institution was certified. */
export function VerdictCell({ verdict, stated }: { verdict: Verdict | undefined; stated: string }) {
  const t = useTranslations('view');
  if (!verdict) return null;
  const by = sourceIn(verdict, stated);
  return (
    <span className="block min-w-0">
      {by !== '' && (
        <span className="block not-tabular:wrap-anywhere" translate="no" dir="auto">
          {by}
        </span>
      )}
      {verdict.state === 'proved' && <CertifiedLine {...verdict} />}
      <Mark state={verdict.state} />
      {verdict.state === 'altered' && <span className="block text-sm text-danger-ink">{t(`why.${verdict.why}`)}</span>}
    </span>
  );
}

function CertifiedLine({ certified }: { certified: Certified }) {
  const t = useTranslations('view.certified');
  const dates = useDates();
  if (certified.now === 'stopped')
    return (
      <span className="block text-sm text-caution-ink">
        <TriangleAlert aria-hidden className="mr-1 inline size-4" />
        {t(`stopped.${certified.status}`)}
      </span>
    );
  const since = certified.now === 'yes' && certified.since;
  return (
    <span className="block text-sm text-muted">{since ? t('since', { day: dates.day(since) }) : t(certified.now)}</span>
  );
}
