import type { MetadataRoute } from 'next';
import { getContext } from '../server/http/context.ts';

export const dynamic = 'force-dynamic';

/** Pages of one person or institution, private links, and the API are not to be crawled. */
const DISALLOWED = [
  '/api/',
  '/g/',
  '/guardian/accept/',
  '/guardian/confirm-recovery/',
  '/institution',
  '/mail/',
  '/me',
  '/r/',
];

export default function robots(): MetadataRoute.Robots {
  return {
    rules: { userAgent: '*', allow: '/', disallow: DISALLOWED },
    sitemap: `${getContext().publicUrl()}/sitemap.xml`,
  };
}
