'use client';

import { ArrowDown, ArrowUp, type LucideIcon, TriangleAlert } from 'lucide-react';
import { useTranslations } from 'use-intl/react';
import type { RangePosition } from '../../../../protocol/clinical/assess.ts';
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
