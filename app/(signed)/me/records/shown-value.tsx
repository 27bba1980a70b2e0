import type { BioRecord } from '../../../../protocol/records/record.ts';
import { exactly, partsOf } from '../../../_ui/value.ts';

/** A value exactly as it was sent, with its unit; an object by its members. */
export function ShownValue({ record: { value, unit } }: { record: Pick<BioRecord, 'value' | 'unit'> }) {
  const parts = partsOf(value);
  if (!parts)
    return (
      <span translate="no">
        <span className="font-semibold tabular-nums break-words">{exactly(value)}</span>{' '}
        <span className="text-muted">{unit}</span>
      </span>
    );
  return (
    <span translate="no" className="block">
      {parts.map(([name, part]) => (
        <span key={name} className="mr-4 inline-block">
          <span className="text-muted">{name}</span> <span className="font-semibold tabular-nums">{part}</span>
        </span>
      ))}
      <span className="text-muted">{unit}</span>
    </span>
  );
}
