import type { useTranslations } from 'use-intl/react';

type Label = Parameters<ReturnType<typeof useTranslations<'operations'>>>[0];

/** The label of an operation, by its signed function. A function of a newer version of the service is shown as it is. */
export const operationLabel = (t: ReturnType<typeof useTranslations<'operations'>>, functionName: string): string =>
  t.has(functionName as Label) ? t(functionName as Label) : functionName;
