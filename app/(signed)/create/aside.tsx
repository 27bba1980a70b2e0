'use client';

import { FileKey2, KeyRound, Layers } from 'lucide-react';
import { useTranslations } from 'use-intl/react';

const PARTS = [
  ['key', KeyRound],
  ['copy', FileKey2],
  ['ledger', Layers],
] as const;

/** Why the name should not identify the person, and a picture of what is created. */
export function Aside({ withName }: { withName: boolean }) {
  const t = useTranslations('create');
  return (
    <>
      {withName && (
        <div className="space-y-2 xl:border-l-2 xl:border-line xl:pl-6">
          <h2 className="text-lg text-ink">{t('name.whyTitle')}</h2>
          <p>{t('name.why')}</p>
        </div>
      )}
      <ol className="space-y-5 border-l-2 border-line pl-6 max-xl:hidden">
        {PARTS.map(([part, Icon]) => (
          <li key={part} className="flex gap-3 text-sm">
            <Icon aria-hidden className="size-7 shrink-0 text-accent" />
            <span>
              <strong className="block text-base text-ink">{t(`picture.${part}.name`)}</strong>
              {t(`picture.${part}.what`)}
            </span>
          </li>
        ))}
      </ol>
    </>
  );
}
