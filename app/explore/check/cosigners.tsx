'use client';

import { useTranslations } from 'use-intl/react';
import type { LogStep } from '../../../protocol/transparency/check-proof-file.ts';
import { Moment } from '../../_ui/moment.tsx';

/** The last second of a JavaScript date. */
const LATEST = 8_640_000_000_000;

/** The witnesses of a log, and when each cosigned a checkpoint, as it states. */
export function Cosigners({ cosigners }: { cosigners: NonNullable<LogStep['cosigners']> }) {
  const t = useTranslations('explore.check');
  const now = new Date().toISOString();
  return (
    <ul className="mt-3 space-y-3">
      {cosigners.map(({ name, at }) => (
        <li key={name}>
          <span className="font-mono text-sm break-all" translate="no">
            {name}
          </span>
          {at === null ? (
            <span className="block text-sm text-muted">{t('notCosigned')}</span>
          ) : (
            <Moment at={new Date(Math.min(at, LATEST) * 1_000).toISOString()} renderedAt={now} className="text-sm" />
          )}
        </li>
      ))}
    </ul>
  );
}
