import type { ReactNode } from 'react';
import { biomarkerNamesIn } from '../../messages/messages.ts';
import { BiomarkerNamesProvider } from './biomarker-names.tsx';
import { requestLocale } from './request-locale.ts';

/** Includes the names of biomarkers in a page, in its language. */
export async function WithBiomarkerNames({ children }: { children: ReactNode }) {
  return <BiomarkerNamesProvider names={biomarkerNamesIn(await requestLocale())}>{children}</BiomarkerNamesProvider>;
}
