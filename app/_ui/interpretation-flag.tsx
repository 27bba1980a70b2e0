'use client';

import { ArrowDown, ArrowUp, TriangleAlert } from 'lucide-react';
import { useTranslations } from 'use-intl/react';
import { assessRecord } from '../../protocol/clinical/assess.ts';
import type { BioRecord } from '../../protocol/records/record.ts';
import { Badge } from './badge.tsx';

const FLAGS = {
  LL: { tone: 'danger', Icon: TriangleAlert },
  L: { tone: 'caution', Icon: ArrowDown },
  H: { tone: 'caution', Icon: ArrowUp },
  HH: { tone: 'danger', Icon: TriangleAlert },
} as const;

type InterpretationFlagProps = { record: Pick<BioRecord, 'value' | 'unit' | 'ref_range'> };

/**
 * What a value means against the ranges that were stated with it, or why it has no meaning. An optimal range is a goal, so a value
 * outside of it has words and no flag. Needs the messages of `clinical`.
 */
export function InterpretationFlag({ record }: InterpretationFlagProps) {
  const t = useTranslations('clinical');
  const { interpretation, unknown, deviations, inside } = assessRecord(record);
  if (interpretation !== null && interpretation !== 'N') {
    const { tone, Icon } = FLAGS[interpretation];
    return (
      <Badge tone={tone}>
        <Icon aria-hidden />
        {t(`interpretation.${interpretation}`)}
      </Badge>
    );
  }
  const goal = deviations.find(({ name }) => name === 'optimal');
  const words = [
    interpretation && t(`interpretation.${interpretation}`),
    goal && t('goal', { side: goal.side }),
    inside === 'optimal' && interpretation === null && t('optimal'),
  ].filter(Boolean);
  if (words.length > 0) return <span className="inline-block first-letter:uppercase">{words.join(', ')}</span>;
  return unknown && <span className="text-muted">{t(`unknown.${unknown}`)}</span>;
}
