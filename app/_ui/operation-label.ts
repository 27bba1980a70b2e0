import { useCallback } from 'react';
import { useTranslations } from 'use-intl/react';

type Label = Parameters<ReturnType<typeof useTranslations<'operations'>>>[0];

/**
 * The label of an operation, by the function that is signed and that its entry on the ledger states. A function of a newer version
 * of the service has no label here, and is shown as it is. Needs the messages of `operations`.
 */
export function useOperationLabel(): (functionName: string) => string {
  const t = useTranslations('operations');
  return useCallback((functionName) => (t.has(functionName as Label) ? t(functionName as Label) : functionName), [t]);
}
