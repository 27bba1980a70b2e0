import { useCallback } from 'react';
import { useTranslations } from 'use-intl/react';
import { operationLabel } from '../../messages/operation-label.ts';

/** The labels of operations, in a client component. Needs the messages of `operations`. */
export function useOperationLabel(): (functionName: string) => string {
  const t = useTranslations('operations');
  return useCallback((functionName) => operationLabel(t, functionName), [t]);
}
