import type { MetadataRoute } from 'next';
import { LANGUAGES } from '../messages/languages.ts';
import { getContext } from '../server/http/context.ts';
import { PUBLIC_PAGES } from './public-pages.ts';

export const dynamic = 'force-dynamic';

/** The public pages with their translations. */
export default function sitemap(): MetadataRoute.Sitemap {
  const base = getContext().publicUrl();
  return PUBLIC_PAGES.map((path) => ({
    url: `${base}${path}`,
    alternates: {
      languages: Object.fromEntries(LANGUAGES.map((language) => [language, `${base}${path}?lang=${language}`])),
    },
  }));
}
