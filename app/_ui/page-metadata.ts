import type { Metadata } from 'next';

/** The metadata of a page behind a private link: not indexed, and only the kind of page, because previews show it. */
export const pageMetadata = (title: string): Metadata => ({
  description: null,
  robots: { index: false, follow: false },
  openGraph: { title },
});
