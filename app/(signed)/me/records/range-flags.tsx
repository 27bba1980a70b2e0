'use client';

import { ArrowDown, ArrowUp, type LucideIcon, TriangleAlert } from 'lucide-react';
import { useTranslations } from 'use-intl/react';
import { assessRecord, type RangePosition } from '../../../../protocol/clinical/assess.ts';
import type { BioRecord } from '../../../../protocol/records/record.ts';
import { Badge } from '../../../_ui/badge.tsx';

const LOOKS: Record<RangePosition['side'], { Icon: LucideIcon; tone: 'caution' | 'danger' }> = {
  below: { Icon: ArrowDown, tone: 'caution' },
  above: { Icon: ArrowUp, tone: 'caution' },
  within: { Icon: TriangleAlert, tone: 'danger' },
};

/** One deviation from a stated range: a symbol and words. */
export function RangeFlag({ deviation: { name, side } }: { deviation: RangePosition }) {
  const t = useTranslations('records.flag');
  const { Icon, tone } = LOOKS[name === 'critical' ? 'within' : side];
  return (
    <Badge tone={tone}>
      <Icon aria-hidden />
      {t(name, { side })}
    </Badge>
  );
}

/** A flag for each range, stated with a value, that it is outside of. */
export function RangeFlags({ record }: { record: Pick<BioRecord, 'value' | 'unit' | 'ref_range'> }) {
  const { deviations } = assessRecord(record);
  if (deviations.length === 0) return null;
  return (
    <span className="flex flex-wrap gap-1.5">
      {deviations.map((deviation) => (
        <RangeFlag key={deviation.name} deviation={deviation} />
      ))}
    </span>
  );
}
