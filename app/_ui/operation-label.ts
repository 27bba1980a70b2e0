import { useCallback } from 'react';
import { useTranslations } from 'use-intl/react';

type Label = Parameters<ReturnType<typeof useTranslations<'operations'>>>[0];

/**
 * The label of an operation, by its signed function. A function of a newer version of the service is shown as it is. Needs the
 * messages of `operations`.
 */
export function useOperationLabel(): (functionName: string) => string {
  const t = useTranslations('operations');
  return useCallback((functionName) => (t.has(functionName as Label) ? t(functionName as Label) : functionName), [t]);
}
