import { shownUnit, valueParts } from '../../../protocol/clinical/value-text.ts';
import type { BioRecord } from '../../../protocol/records/record.ts';

/** A value as people write it, with its unit. */
export function ShownValue({ record: { value, unit } }: { record: Pick<BioRecord, 'value' | 'unit'> }) {
  return (
    <span translate="no">
      {valueParts(value).map(({ name, text, hasUnit }, index) => (
        <span key={name} className="break-words">
          {index > 0 && ', '}
          {name !== null && <span className="text-muted">{name} </span>}
          <span className="font-semibold tabular-nums">{text}</span>
          {hasUnit && <span className="text-muted"> {shownUnit(unit)}</span>}
        </span>
      ))}
    </span>
  );
}
