import type { MetadataRoute } from 'next';
import { LANGUAGES } from '../messages/languages.ts';
import { getContext } from '../server/http/context.ts';

export const dynamic = 'force-dynamic';

const PATHS = [
  '/',
  '/explore',
  '/help',
  '/guardian',
  '/recover',
  '/catalogue',
  '/developers',
  '/developers/errors',
  '/developers/signature',
  '/contact',
  '/privacy',
  '/terms',
];

/** The public pages with their translations. */
export default function sitemap(): MetadataRoute.Sitemap {
  const base = getContext().publicUrl();
  return PATHS.map((path) => ({
    url: `${base}${path}`,
    alternates: {
      languages: Object.fromEntries(LANGUAGES.map((language) => [language, `${base}${path}?lang=${language}`])),
    },
  }));
}
