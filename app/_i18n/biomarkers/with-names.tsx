import type { ReactNode } from 'react';
import { requestLocale } from '../request-locale.ts';
import { namesIn } from './names.ts';
import { BiomarkerNamesProvider } from './provider.tsx';

/** Sends the names of biomarkers along with a page, in its language. */
export async function WithBiomarkerNames({ children }: { children: ReactNode }) {
  return <BiomarkerNamesProvider names={namesIn(await requestLocale())}>{children}</BiomarkerNamesProvider>;
}
