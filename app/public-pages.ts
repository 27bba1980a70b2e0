/** The pages that search engines shall find: see the sitemap. */
export const PUBLIC_PAGES = [
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
