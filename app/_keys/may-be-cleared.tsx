'use client';

import { useTranslations } from 'use-intl/react';
import { useMayBeCleared } from './persistence.ts';

/** States that the browser may delete the keys that it keeps; nothing where it will not. */
export function MayBeCleared() {
  const t = useTranslations('keys');
  return useMayBeCleared() && <p className="text-muted">{t('mayBeCleared')}</p>;
}
